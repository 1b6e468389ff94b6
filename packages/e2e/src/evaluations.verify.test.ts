import { agentSettingsSchema, micros } from '@outdial/contracts';
import { beforeAll, expect, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import { slotsTool } from '../test/slots-tool.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
let modelsUrl: string;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  modelsUrl = await stage.models();
});
const LLM = { provider: 'openai', model: 'gpt-simulated' } as const;
const price = (unit: 'input_text_token' | 'output_text_token') => ({
  component: 'llm' as const,
  ...LLM,
  unit,
  priceMicrosPerMillion: micros(10_000_000),
  estimateMicrosPerMinute: micros(100_000),
});
beforeAll(async () => {
  const operator = stage.admin.credentialsOf(null);
  // A second credential of the provider would leave open which one agents use.
  const name = 'tried in a browser';
  const { credentials } = await operator.list();
  if (!credentials.some((credential) => credential.name === name)) {
    await operator.create({
      provider: 'openai',
      name,
      apiKey: 'sk-simulated-demo',
      baseUrl: `${modelsUrl}/v1`,
      region: null,
      secretKey: stage.secretKey,
    });
  }
  await stage.admin.modelRates.import({
    currency: 'USD',
    rates: [price('input_text_token'), price('output_text_token')],
  });
});

const settings = agentSettingsSchema.parse({
  driver: 'cascade',
  name: 'Appointment',
  instructions: 'You remind {{name}} of a visit.',
  stt: { provider: 'deepgram' },
  llm: LLM,
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
  analysis: { success: { criteria: '{{name}} agrees to the visit.' }, llm: LLM },
  tools: [slotsTool('https://example.com/slots')],
});

test('a member saves scenarios, runs them on a version, and reads which conversation failed and why', async () => {
  const account = await stage.account();
  const agent = await stage.admin.agents.create({ accountId: account.id, settings });
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  // A busy machine may answer 503, and the page reads again.
  expectStatus(503);
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
  const panel = page.getByRole('region', { name: 'Evaluations', exact: true }).first();
  await panel.getByText('No scenarios yet.').waitFor();

  await panel.getByRole('button', { name: 'Add scenario' }).click();
  const agrees = panel.getByRole('region', { name: 'Scenario Scenario 1' });
  await agrees.getByLabel('Who the callee is').fill('You are a patient who keeps the appointment.');
  await agrees.getByLabel('Variable name').fill('Zoë');
  await agrees.getByLabel('Result of the tool find_free_slots').fill('{"free_slots": ["10:00"]}');
  await panel.getByRole('button', { name: 'Add scenario' }).click();
  const refuses = panel.getByRole('region', { name: 'Scenario Scenario 2' });
  await refuses.getByLabel('Callee', { exact: true }).selectOption('scripted');
  await refuses.getByLabel('Lines of the callee').fill('Who are you?\nNo.');

  // The agent needs its variable, and the error names it.
  expectStatus(400);
  await refuses.getByLabel('Turns of the callee at most').fill('99');
  await panel.getByRole('button', { name: 'Save scenarios' }).click();
  await panel.getByText('Could not save the scenarios').waitFor();
  await refuses.getByLabel('Turns of the callee at most').fill('4');
  await refuses.getByLabel('Variable name').fill('Sam');
  await panel.getByRole('button', { name: 'Save scenarios' }).click();
  await page.getByText('Scenarios saved.').waitFor();
  await page.reload();
  await panel.getByRole('region', { name: 'Scenario Scenario 2' }).waitFor();

  await panel.getByRole('button', { name: 'Run evaluation' }).click();
  await panel.getByRole('row', { name: /1 of 2/ }).waitFor();
  const row = panel.getByRole('row', { name: /Failed/ });
  await row.getByText('1 of 2').waitFor();
  await row.getByRole('button', { name: 'Report' }).click();
  const report = page.getByRole('dialog', { name: 'Report of the evaluation' });
  const passed = report.getByRole('region', { name: 'Result of Scenario 1' });
  await passed.getByText('Passed', { exact: true }).waitFor();
  await passed.getByText('The callee agreed to the appointment.').waitFor();
  await passed.getByText('Okay, that is fine.').waitFor();
  await passed.getByText('The callee hung up.').waitFor();
  const failed = report.getByRole('region', { name: 'Result of Scenario 2' });
  await failed.getByText('Failed', { exact: true }).waitFor();
  await failed.getByText('The callee did not agree to the appointment.').waitFor();
  expect(faults).toEqual([]);
});

test('a report compares each scenario with the evaluation before it', async () => {
  const account = await stage.account();
  const agent = await stage.admin.agents.create({ accountId: account.id, settings });
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  expectStatus(503);
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
  const panel = page.getByRole('region', { name: 'Evaluations', exact: true }).first();
  await panel.getByRole('button', { name: 'Add scenario' }).click();
  await panel.getByLabel('Callee', { exact: true }).selectOption('scripted');
  await panel.getByLabel('Variable name').fill('Zoë');
  await panel.getByLabel('Lines of the callee').fill('No.');
  await panel.getByRole('button', { name: 'Run evaluation' }).click();
  await panel.getByRole('row', { name: /Failed/ }).waitFor();
  await panel.getByLabel('Lines of the callee').fill('Yes, that is fine.');
  await panel.getByRole('button', { name: 'Run evaluation' }).click();
  await panel
    .getByRole('row', { name: /1 of 1/ })
    .getByRole('button', { name: 'Report' })
    .click();
  await page.getByRole('dialog').getByText('Before, with version 1: failed').waitFor();
  expect(faults).toEqual([]);
});

test('a scripted agent says why it cannot be evaluated', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/agents/${account.agentId}`);
  await page.getByText('so simulated callees cannot talk with it').waitFor();
  expect(faults).toEqual([]);
});
