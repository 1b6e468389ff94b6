import { agentSettingsSchema, micros } from '@outdial/contracts';
import { beforeAll, expect, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
let modelsUrl: string;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  modelsUrl = await stage.models();
});
const price = (unit: 'input_text_token' | 'output_text_token') => ({
  component: 'realtime' as const,
  provider: 'openai' as const,
  model: 'gpt-realtime',
  unit,
  priceMicrosPerMillion: micros(10_000_000),
  estimateMicrosPerMinute: micros(100_000),
});
beforeAll(async () => {
  const operator = stage.admin.credentialsOf(null);
  const name = 'tried in a browser';
  const { credentials } = await operator.list();
  if (credentials.some((credential) => credential.name === name)) return;
  await operator.create({
    provider: 'openai',
    name,
    apiKey: 'sk-simulated-demo',
    baseUrl: `${modelsUrl}/v1`,
    region: null,
    secretKey: stage.secretKey,
  });
  await stage.admin.modelRates.import({
    currency: 'USD',
    rates: [price('input_text_token'), price('output_text_token')],
  });
});

const settings = () =>
  agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind {{name}} of a visit.',
    first_message: 'Good morning {{name}}, this is the dental practice.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools: [
      { type: 'http', name: 'find_free_slots', description: 'Finds free slots.', url: `${modelsUrl}/tools/free-slots` },
    ],
  });

test('a scripted agent says why it cannot be tried, and an unusable model why the try did not begin', async () => {
  const account = await stage.account();
  const unpriced = agentSettingsSchema.parse({
    ...settings(),
    first_message: 'Hello.',
    instructions: 'You call people.',
    model: { provider: 'openai', model: 'gpt-unpriced' },
  });
  const agent = await stage.admin.agents.create({ accountId: account.id, settings: unpriced });
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/agents/${account.agentId}`);
  await page.getByText('A scripted agent listens to sound alone').waitFor();
  await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
  expectStatus(422);
  await page.getByRole('button', { name: 'Start conversation' }).click();
  await page.getByText(/has no rate in USD/).waitFor();
  expect(faults).toEqual([]);
});
