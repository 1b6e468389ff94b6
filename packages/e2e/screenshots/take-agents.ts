import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { agentSettingsSchema, type AccountId } from '@outdial/contracts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openStage, type Stage } from '../test/stage.ts';
import { FOLDER, takeOff } from './looks.ts';

const VIEW = { viewport: { width: 1_440, height: 900 } } as const;
const CASCADE = agentSettingsSchema.parse({
  driver: 'cascade',
  name: 'Appointment',
  instructions: 'You call patients of a dental practice, to remind {{name}} of a visit. Be brief and friendly.',
  first_message: 'Good morning {{name}}, this is the dental practice.',
  stt: { provider: 'deepgram' },
  llm: { provider: 'openai', model: 'gpt-simulated' },
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
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

test('the editor of an agent, the credentials and a live call are pictured', async () => {
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
    const account = await stage.account({ agent: { lines: Array.from({ length: 8 }, () => LINES).flat() } });
    const { page, faults } = await visitAsOwner(stage, account.id);

    const agent = await stage.admin.agents.create({ accountId: account.id, settings: CASCADE });
    await page.goto(`/accounts/${account.id}/agents/${agent.id}`);
    await page.getByRole('region', { name: 'Try the agent' }).waitFor();
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
  } finally {
    await stage.close();
  }
});
