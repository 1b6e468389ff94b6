import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { accountIdSchema, needsAddress, PROVIDER_REGIONS, PROVIDERS, type Provider } from '@outdial/contracts';
import { createEgressClient, envEgressAllow, type EgressClient } from '@outdial/egress';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCredential, type CheckInput } from './check-credential.ts';
import { providerAddress } from './provider-address.ts';

const CANARY = 'sk-canary-8d1f0a6c5b';
let answer = { status: 200, body: '{}' };
/** For a path that names a model. */
let ofModel: typeof answer | null = null;
let last: Pick<IncomingMessage, 'url' | 'headers'> | undefined;
const server = createServer((request, response) => {
  last = { url: request.url, headers: request.headers };
  const { status, body } = (request.url?.includes('/models/') ? ofModel : null) ?? answer;
  if (status > 0) response.writeHead(status).end(body);
});
let egress: EgressClient;
let baseUrl: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`;
  egress = createEgressClient({ allowed: envEgressAllow.parse('127.0.0.0/8'), proxy: null });
});
afterAll(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const credential = (provider: Provider, changes: Partial<CheckInput['credential']> = {}) => ({
  accountId: null,
  provider,
  baseUrl,
  region: null,
  apiKey: CANARY,
  ...changes,
});

function check(provider: Provider, reply: Partial<typeof answer>, model?: string) {
  answer = { status: 200, body: '{}', ...reply };
  return checkCredential(egress, { credential: credential(provider), model, isOfKey: true });
}

describe('a check', () => {
  test.each([
    ['openai', '/v1/models', 'authorization', `Bearer ${CANARY}`],
    ['openai_live', '/v1/models', 'authorization', `Bearer ${CANARY}`],
    ['openai_compatible', '/v1/models', 'authorization', `Bearer ${CANARY}`],
    ['local', '/v1/models', 'authorization', `Bearer ${CANARY}`],
    ['anthropic', '/v1/models', 'x-api-key', CANARY],
    ['google', '/v1/models', 'x-goog-api-key', CANARY],
    ['azure', '/v1/openai/v1/models', 'api-key', CANARY],
    ['xai', '/v1/models', 'authorization', `Bearer ${CANARY}`],
    ['deepgram', '/v1/v1/projects', 'authorization', `Token ${CANARY}`],
    ['elevenlabs', '/v1/v1/user', 'xi-api-key', CANARY],
    ['cartesia', '/v1/voices?limit=1', 'x-api-key', CANARY],
  ] as const)('of %s sends its key in the header that the provider reads', async (provider, path, header, value) => {
    expect((await check(provider, {})).result).toBe('ok');
    expect([last?.url, last?.headers[header]]).toEqual([path, value]);
  });

  test.each([
    ['openai', { status: 401 }, undefined, 'rejected'],
    ['openai', { status: 403 }, undefined, 'rejected'],
    ['openai', { status: 403, body: '{"error":{"message":"Missing scopes: api.model.read."}}' }, undefined, 'ok'],
    ['google', { status: 400, body: '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}' }, undefined, 'rejected'],
    ['google', { status: 400 }, undefined, 'unreachable'],
    ['xai', { status: 400, body: '{"error":"Incorrect API key provided: xa***."}' }, undefined, 'rejected'],
    ['xai', { status: 400 }, undefined, 'unreachable'],
    ['azure', { status: 401 }, undefined, 'rejected'],
    ['azure', { status: 404 }, 'my-deployment', 'unreachable'],
    ['elevenlabs', { status: 401, body: '{"detail":{"status":"invalid_api_key"}}' }, undefined, 'rejected'],
    ['elevenlabs', { status: 401, body: '{"detail":{"status":"missing_permissions"}}' }, undefined, 'ok'],
    ['deepgram', { status: 401, body: '{"err_code":"INVALID_AUTH"}' }, undefined, 'rejected'],
    ['deepgram', { status: 403, body: '{"err_code":"INSUFFICIENT_PERMISSIONS"}' }, undefined, 'ok'],
    ['openai', { status: 404 }, 'gpt-9', 'no_such_model'],
    ['openai', { status: 401 }, 'gpt-9', 'rejected'],
    ['openai_compatible', { status: 404 }, undefined, 'unreachable'],
    ['local', { status: 404 }, undefined, 'ok'],
    ['local', { status: 404 }, 'whisper', 'no_such_model'],
    ['local', { status: 401 }, undefined, 'rejected'],
    ['deepgram', { status: 404 }, 'flux', 'unreachable'],
    ['openai', { status: 429 }, undefined, 'unreachable'],
    ['openai', { status: 503 }, undefined, 'unreachable'],
    ['openai', { status: 302 }, undefined, 'unreachable'],
  ] as const)('of %s that is answered with %j finds, for the model %s: %s', async (provider, reply, model, result) => {
    expect((await check(provider, reply, model)).result).toBe(result);
  });

  test('of a key that may not use the model finds that the key is accepted', async () => {
    ofModel = { status: 403, body: '{"error":{"code":"model_not_found"}}' };
    try {
      const found = await check('openai', {}, 'gpt-9');
      expect(found).toMatchObject({ result: 'no_such_model', message: expect.stringContaining('accepts the key') });
      expect((await check('openai', { status: 503 }, 'gpt-9')).result).toBe('unreachable');
    } finally {
      ofModel = null;
    }
  });

  test('names the model in its path, and nothing else can be put there', async () => {
    await check('openai_compatible', {}, 'meta/llama-3:8b');
    expect(last?.url).toBe('/v1/models/meta/llama-3%3A8b');
    await check('openai', {}, 'x?y=1#z');
    expect(last?.url).toBe('/v1/models/x%3Fy%3D1%23z');
  });

  test('never passes on what the provider says, which may quote the key', async () => {
    const body = JSON.stringify({ error: { message: `Incorrect API key provided: ${CANARY}.` } });
    for (const status of [400, 401, 404, 500]) {
      expect(JSON.stringify(await check('openai', { status, body }))).not.toContain('canary');
    }
  });

  test('of an account reaches no private address, and that of the operator does', async () => {
    answer = { status: 200, body: '{}' };
    const accountId = accountIdSchema.parse(randomUUID());
    last = undefined;
    const ofAccount = await checkCredential(egress, { credential: credential('openai_compatible', { accountId }) });
    expect([ofAccount.result, last]).toEqual(['unreachable', undefined]);
    expect((await check('openai_compatible', {})).result).toBe('ok');
  });

  test('whose caller gives up is no finding', async () => {
    answer = { status: 0, body: '' };
    const gone = new AbortController();
    const checking = checkCredential(egress, { credential: credential('openai'), signal: gone.signal });
    gone.abort();
    await expect(checking).rejects.toMatchObject({ code: 'aborted' });
  });

  test('of a credential without an address sends nothing', async () => {
    const without = { credential: credential('openai_compatible', { baseUrl: null }) };
    expect((await checkCredential(egress, without)).result).toBe('unreachable');
  });
});

test('every region has its address, over TLS', () => {
  for (const provider of PROVIDERS.filter((each) => !needsAddress(each))) {
    for (const region of [null, ...PROVIDER_REGIONS[provider]]) {
      const address = providerAddress({ provider, baseUrl: null, region });
      expect(`${provider} ${region}: ${address}`).toMatch(/: https:\/\/[a-z.]+(?:\/v1(?:beta)?)?$/);
    }
  }
});

test('a resource of Azure is reached below its address, and has no other', () => {
  const resource = 'https://clinic.openai.azure.com/';
  expect(providerAddress({ provider: 'azure', baseUrl: resource, region: null })).toBe(
    'https://clinic.openai.azure.com/openai/v1',
  );
  expect(providerAddress({ provider: 'azure', baseUrl: null, region: null })).toBeNull();
});

test('an address of a credential’s own is used without the slashes at its end', () => {
  expect(providerAddress({ provider: 'openai', baseUrl: 'https://models.example/v1//', region: null })).toBe(
    'https://models.example/v1',
  );
});
