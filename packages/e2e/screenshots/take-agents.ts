import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { agentSettingsSchema, micros, type AccountId } from '@outdial/contracts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openMicrophoneBrowser } from '../test/microphone.ts';
import { openStage, type Stage } from '../test/stage.ts';
import { openVisit } from '../test/visit.ts';
import { FOLDER, takeOff } from './looks.ts';

const VIEW = { viewport: { width: 1_440, height: 900 } } as const;
const HEARD = [{ silenceMs: 6_000 }, { text: 'Yes, speaking.' }, { silenceMs: 3_000 }];
const LLM = { provider: 'openai', model: 'gpt-simulated' } as const;
const price = { priceMicrosPerMillion: micros(10_000_000), estimateMicrosPerMinute: micros(1_000) };
const realtime = { component: 'realtime' as const, provider: 'openai' as const, model: 'gpt-realtime', ...price };
const RATES = [
  { component: 'llm' as const, ...LLM, unit: 'input_text_token' as const, ...price },
  { component: 'llm' as const, ...LLM, unit: 'output_text_token' as const, ...price },
  { ...realtime, unit: 'input_audio_token' as const },
  { ...realtime, unit: 'output_audio_token' as const },
  { ...realtime, unit: 'output_text_token' as const },
  { component: 'stt' as const, provider: 'openai' as const, model: '*', unit: 'second' as const, ...price },
];
const APPOINTMENT = {
  name: 'Appointment',
  instructions: 'You call patients of a dental practice, to remind {{name}} of a visit. Be brief and friendly.',
  first_message: 'Good morning {{name}}, this is the dental practice.',
  tools: [
    {
      type: 'http',
      name: 'find_free_slots',
      description: 'Finds free slots.',
      method: 'GET',
      url: 'https://example.com/slots',
      send: 'query',
      parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
    },
  ],
  analysis: { success: { criteria: '{{name}} agrees to the visit.' }, llm: LLM },
};
const cascade = agentSettingsSchema.parse({
  driver: 'cascade',
  ...APPOINTMENT,
  stt: { provider: 'deepgram' },
  llm: LLM,
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
});
const spoken = agentSettingsSchema.parse({
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  first_message: 'Good morning, this is the dental practice.',
  model: { provider: 'openai', model: 'gpt-realtime' },
});
const LINES = ['We open at eight.', 'Please bring your card.', 'Parking is free of charge.', 'Will you be there?'];

async function picture(page: Page, name: string): Promise<void> {
  await takeOff(page);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
}

async function visitAsOwner(stage: Stage, accountId: AccountId) {
  const visit = await stage.visit(VIEW);
  await visit.beginSession(await stage.person({ name: 'Ada Lindqvist', memberships: [{ accountId, role: 'owner' }] }));
  return visit;
}

test('the editor of an agent, its credentials, a report, a live call and a try by microphone are pictured', async () => {
  await mkdir(FOLDER, { recursive: true });
  const stage = await openStage({ speed: 1 });
  const microphone = await openMicrophoneBrowser(HEARD);
  try {
    const modelsUrl = await stage.models();
    const operator = {
      apiKey: 'sk-simulated-demo',
      baseUrl: `${modelsUrl}/v1`,
      region: null,
      secretKey: stage.secretKey,
    };
    await stage.admin.credentialsOf(null).create({ provider: 'openai', name: 'main', ...operator });
    await stage.admin.modelRates.import({ currency: 'USD', rates: RATES });
    const account = await stage.account({ agent: { lines: Array.from({ length: 8 }, () => LINES).flat() } });
    const { page, faults } = await visitAsOwner(stage, account.id);

    const agent = await stage.admin.agents.create({ accountId: account.id, settings: cascade });
    await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
    await page.getByText('find_free_slots').first().waitFor();
    await picture(page, 'agent');

    const own = { ...operator, name: 'our OpenAI key', provider: 'openai' as const };
    await stage.admin.credentialsOf(account.id).create(own);
    await page.goto(`/accounts/${account.id}/credentials`);
    await page.getByText('our OpenAI key').waitFor();
    await picture(page, 'credentials');

    const { id } = await stage.place(account, { toNumber: '+12025550100' });
    await page.goto(`/accounts/${account.id}/calls/${id}`);
    await page.getByRole('button', { name: 'Listen', exact: true }).click();
    await page.getByText('You hear the callee on the left').waitFor();
    await page.getByRole('list', { name: 'Transcript' }).getByText('Parking is free of charge.').first().waitFor();
    await picture(page, 'live-call');
    expect(faults).toEqual([]);

    const tried = await stage.admin.agents.create({ accountId: account.id, settings: spoken });
    const visit = await openVisit(microphone.browser, stage.url, VIEW);
    await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
    await visit.page.goto(`/accounts/${account.id}/agents/${tried.id}`);
    const panel = visit.page.getByRole('region', { name: 'Try the agent' });
    await panel.getByRole('button', { name: 'Try by microphone' }).press('Enter');
    await panel.getByText('Yes, speaking.').first().waitFor();
    await panel.scrollIntoViewIfNeeded();
    await visit.page.screenshot({ path: join(FOLDER, 'microphone.png') });
  } finally {
    await microphone.close();
    await stage.close();
  }
});

test('the report of an evaluation is pictured', async () => {
  await mkdir(FOLDER, { recursive: true });
  const stage = await openStage({ speed: 1 });
  try {
    const modelsUrl = await stage.models();
    const operator = {
      apiKey: 'sk-simulated-demo',
      baseUrl: `${modelsUrl}/v1`,
      region: null,
      secretKey: stage.secretKey,
    };
    await stage.admin.credentialsOf(null).create({ provider: 'openai', name: 'main', ...operator });
    await stage.admin.modelRates.import({ currency: 'USD', rates: RATES });
    const account = await stage.account();
    const agent = await stage.admin.agents.create({ accountId: account.id, settings: cascade });
    const { page } = await visitAsOwner(stage, account.id);
    await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
    const evaluations = page.getByRole('region', { name: 'Evaluations', exact: true }).first();
    await evaluations.getByRole('button', { name: 'Add scenario' }).click();
    const agrees = evaluations.getByRole('region', { name: 'Scenario Scenario 1' });
    await agrees.getByLabel('Who the callee is').fill('You are a patient who keeps the appointment.');
    await agrees.getByLabel('Variable name').fill('Grace');
    await agrees.getByLabel('Result of the tool find_free_slots').fill('{"free_slots": ["10:00"]}');
    await evaluations.getByRole('button', { name: 'Save scenarios' }).click();
    await page.getByText('Scenarios saved.').waitFor();
    await evaluations.getByRole('button', { name: 'Run evaluation' }).click();
    const row = evaluations.getByRole('row', { name: /1 of 1/ });
    await row.getByRole('button', { name: 'Report' }).click();
    await page.getByText('The callee agreed to the appointment.').waitFor();
    await picture(page, 'evaluation');
  } finally {
    await stage.close();
  }
});
