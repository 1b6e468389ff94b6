import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { agentSettingsSchema, micros, type AgentSettings } from '@outdial/contracts';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { standing } from '../test/call-pages.ts';
import { openMicrophoneBrowser } from '../test/microphone.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { slotsTool } from '../test/slots-tool.ts';
import { openStage, type Stage } from '../test/stage.ts';
import { openVisit } from '../test/visit.ts';
import { FOLDER, takeOff } from './looks.ts';

const VIEW = { viewport: { width: 1_440, height: 900 } } as const;
const HEARD = [{ silenceMs: 6_000 }, { text: 'Yes, speaking.' }, { silenceMs: 3_000 }];
const LLM = { provider: 'openai', model: 'gpt-simulated' } as const;
const SPOKEN = { provider: 'openai', model: 'gpt-realtime' } as const;
const price = (perMillion: number) => ({
  priceMicrosPerMillion: micros(perMillion),
  estimateMicrosPerMinute: micros(1_000),
});
const HEARD_BY = { component: 'stt', provider: 'openai', model: '*' } as const;
const RATES = [
  { component: 'llm', ...LLM, unit: 'input_text_token', ...price(250_000) },
  { component: 'llm', ...LLM, unit: 'output_text_token', ...price(2_000_000) },
  { component: 'realtime', ...SPOKEN, unit: 'input_text_token', ...price(4_000_000) },
  { component: 'realtime', ...SPOKEN, unit: 'cached_input_text_token', ...price(400_000) },
  { component: 'realtime', ...SPOKEN, unit: 'input_audio_token', ...price(32_000_000) },
  { component: 'realtime', ...SPOKEN, unit: 'cached_input_audio_token', ...price(400_000) },
  { component: 'realtime', ...SPOKEN, unit: 'output_text_token', ...price(16_000_000) },
  { component: 'realtime', ...SPOKEN, unit: 'output_audio_token', ...price(64_000_000) },
  { ...HEARD_BY, unit: 'input_audio_token', ...price(3_000_000) },
  { ...HEARD_BY, unit: 'output_text_token', ...price(5_000_000) },
] as const;

let stage: Stage;
let modelsUrl: string;
beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  stage = await openStage({ speed: 1 });
  modelsUrl = await stage.models();
  await stage.admin.credentialsOf(null).create({
    provider: 'openai',
    name: 'main',
    apiKey: 'sk-simulated-demo',
    baseUrl: `${modelsUrl}/v1`,
    region: null,
    secretKey: stage.secretKey,
  });
  await stage.admin.modelRates.import({ currency: 'USD', rates: RATES });
});
afterAll(() => stage.close());

const appointment = () => ({
  name: 'Appointment',
  instructions: 'You call patients of a dental practice, to remind {{name}} of a visit. Be brief and friendly.',
  tools: [
    slotsTool(`${modelsUrl}/tools/free-slots`),
    { type: 'end_call', name: 'end_call', description: 'Ends the call.' },
  ],
  analysis: { success: { criteria: '{{name}} agrees to the visit.' }, llm: LLM },
});
const spoken = () => agentSettingsSchema.parse({ driver: 'realtime', ...appointment(), model: SPOKEN });
const written = () =>
  agentSettingsSchema.parse({
    driver: 'cascade',
    ...appointment(),
    stt: { provider: 'deepgram' },
    llm: LLM,
    tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
  });

async function accountWith(settings: AgentSettings) {
  const account = await stage.account();
  const agent = await stage.admin.agents.create({ accountId: account.id, settings });
  const person = await stage.person({
    name: 'Ada Lindqvist',
    memberships: [{ accountId: account.id, role: 'owner' }],
  });
  return { account, agent, person, path: `/accounts/${account.id}/agents/${agent.id}` };
}

async function picture(page: Page, name: string): Promise<void> {
  await takeOff(page);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

test('a call that a model conducted is pictured', async () => {
  const { account, agent, person } = await accountWith(spoken());
  const visit = await stage.visit({ viewport: { width: 1_440, height: 1_800 } });
  await visit.beginSession(person);
  const caller: SeededAccount = { ...account, agentId: agent.id };
  const { id } = await stage.place(caller, { toNumber: '+12025550100', variables: { name: 'Grace' } });
  await visit.page.goto(`/accounts/${account.id}/calls/${id}`);
  await standing(visit.page, 'Agent hung up').waitFor({ timeout: 90_000 });
  await visit.page.getByText('The callee agreed to the appointment.').waitFor();
  await picture(visit.page, 'conducted-call');
  expect(visit.faults).toEqual([]);
});

test('the report of an evaluation is pictured', async () => {
  const { person, path } = await accountWith(written());
  const { page, faults, beginSession } = await stage.visit(VIEW);
  await beginSession(person);
  await page.goto(path);
  const evaluations = page.getByRole('region', { name: 'Evaluations', exact: true }).first();
  await evaluations.getByRole('button', { name: 'Add scenario' }).click();
  const agrees = evaluations.getByRole('region', { name: 'Scenario Scenario 1' });
  await agrees.getByLabel('Who the callee is').fill('You are a patient who keeps the appointment.');
  await agrees.getByLabel('Variable name').fill('Grace');
  await agrees.getByLabel('Result of the tool find_free_slots').fill('{"free_slots": ["10:00"]}');
  await evaluations.getByRole('button', { name: 'Run evaluation' }).click();
  await evaluations
    .getByRole('row', { name: /1 of 1/ })
    .getByRole('button', { name: 'Report' })
    .click();
  const report = page.getByRole('dialog', { name: 'Report of the evaluation' });
  await report.getByRole('region', { name: 'Result of Scenario 1' }).getByText('Passed', { exact: true }).waitFor();
  await picture(page, 'evaluation');
  expect(faults).toEqual([]);
});

test('a conversation by microphone is pictured', async () => {
  const microphone = await openMicrophoneBrowser(HEARD);
  try {
    const { person, path } = await accountWith(spoken());
    const { page, faults, beginSession } = await openVisit(microphone.browser, stage.url, VIEW);
    await beginSession(person);
    await page.goto(path);
    const panel = page.getByRole('region', { name: 'Try the agent' });
    await panel.getByLabel('Value of name').fill('Grace');
    await panel.getByRole('button', { name: 'Try by microphone' }).press('Enter');
    await panel
      .getByRole('log')
      .getByText(/Agent: Your appointment/)
      .first()
      .waitFor({ timeout: 120_000 });
    await panel.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(FOLDER, 'microphone.png') });
    expect(faults).toEqual([]);
  } finally {
    await microphone.close();
  }
});
