import { modelListSchema, micros, type Provider } from '@outdial/contracts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';

const rate = (model: string, provider: Provider, priceMicrosPerMillion: number) =>
  ({
    component: 'llm',
    provider,
    model,
    unit: 'input_text_token',
    priceMicrosPerMillion: micros(priceMicrosPerMillion),
    estimateMicrosPerMinute: micros(1_500),
  }) as const;

const secretKey = randomBytes(32);
let api: TestApi;
beforeAll(async () => {
  api = await openApi({ secretKey });
  const rates = [
    rate('gpt-5-mini', 'openai', 250_000),
    { ...rate('gpt-5-mini', 'openai', 2_000_000), unit: 'output_text_token' as const },
    rate('claude-*', 'anthropic', 3_000_000),
    rate('gemini-3', 'google', 100_000),
  ];
  await api.admin.modelRates.import({ currency: 'USD', rates });
  const shared = { apiKey: 'sk-shared', baseUrl: null, region: null, secretKey };
  for (const provider of ['openai', 'anthropic'] as const) {
    await api.admin.credentialsOf(null).create({ ...shared, name: `shared-${provider}`, provider });
  }
});
afterAll(() => api.close());

async function modelsOf(key: string) {
  const answer = await api.request('GET', '/models', { key });
  expect(answer.status).toBe(200);
  return modelListSchema.parse(answer.json);
}

it('200: the models that the operator has a credential and a price for, by component and provider', async () => {
  const account = await api.account();
  expect(await modelsOf(account.key)).toEqual({
    currency: 'USD',
    models: [
      {
        component: 'llm',
        provider: 'openai',
        model: 'gpt-5-mini',
        prices: expect.arrayContaining([
          { unit: 'input_text_token', unit_price: 0.25 },
          { unit: 'output_text_token', unit_price: 2 },
        ]),
        estimate_per_minute: 0.003,
      },
      {
        component: 'llm',
        provider: 'anthropic',
        model: 'claude-*',
        prices: [{ unit: 'input_text_token', unit_price: 3 }],
        estimate_per_minute: 0.0015,
      },
    ],
    providers: [
      { provider: 'openai', paid_by: 'operator' },
      { provider: 'anthropic', paid_by: 'operator' },
    ],
  });
});

it('200: an account’s own credential pays for its provider, and no other account sees it', async () => {
  const [account, neighbor] = await Promise.all([api.account(), api.account()]);
  const own = { provider: 'google', name: 'own', apiKey: 'sk-own', baseUrl: null, region: null, secretKey } as const;
  await api.admin.credentialsOf(account.id).create(own);
  const { models, providers } = await modelsOf(account.key);
  expect(providers).toContainEqual({ provider: 'google', paid_by: 'account' });
  expect(models.map(({ provider }) => provider)).not.toContain('google');
  expect((await modelsOf(neighbor.key)).providers.map(({ provider }) => provider)).not.toContain('google');
});

it('200: a currency without a deck has no models', async () => {
  const account = await api.account();
  await api.database.side.$executeRaw`UPDATE accounts SET currency = 'JPY' WHERE id = ${account.id}::uuid`;
  expect(await modelsOf(account.key)).toMatchObject({ currency: 'JPY', models: [] });
});

it('401 without a key, 403 for a key that may not place calls', async () => {
  const manager = await api.account({ scopes: ['manage'] });
  expect((await api.request('GET', '/models')).error().code).toBe('missing_api_key');
  const answer = await api.request('GET', '/models', { key: manager.key });
  expect([answer.status, answer.error().details]).toEqual([403, { scope: 'outbound' }]);
});
