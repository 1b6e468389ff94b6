import { agentSettingsSchema, micros, type LiveTurn } from '@outdial/contracts';
import { createDriveStore } from '@outdial/persistence';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { standing } from '../test/call-pages.ts';
import { conductByModels } from '../test/conducted-call.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { openStage, type Stage } from '../test/stage.ts';

const LINES = ['We open at eight.', 'Please bring your card.', 'Parking is free of charge.', 'Will you be there?'];

let stage: Stage;
let account: SeededAccount;
beforeAll(async () => {
  // Slow enough to watch a call, and not as slow as life.
  stage = await openStage({ speed: 3 });
  account = await stage.account({ agent: { lines: LINES } });
});
afterAll(() => stage.close());

async function visitAsMember() {
  const visit = await stage.visit();
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  return visit;
}

const transcript = (page: Page) => page.getByRole('list', { name: 'Transcript' });

test('the transcript grows while the call runs, and stays as it is when the call ends', async () => {
  const { page, faults } = await visitAsMember();
  const seen = await watchGrowth(page);
  await pauseDialing();
  const { id } = await stage.place(account, { toNumber: '+12025550100' });
  await page.goto(`/accounts/${account.id}/calls/${id}`);
  await standing(page, 'Queued').waitFor();
  await stage.admin.dialling.set({ paused: false });
  await standing(page, 'Agent hung up').waitFor();
  for (const text of [...LINES, 'Goodbye.']) await transcript(page).getByText(text).waitFor();
  const duringCall = seen.flatMap(({ status, turns }) => (status.startsWith('In progress') ? [turns] : []));
  expect(Math.max(...duringCall)).toBeGreaterThan(1);
  expect(new Set(duringCall).size).toBeGreaterThan(1);
  // Turns are added, and none goes away.
  expect(seen.map(({ turns }) => turns)).toEqual(seen.map(({ turns }) => turns).toSorted((a, b) => a - b));
  expect(faults).toEqual([]);
});

test('someone who comes in the middle reads what was said, and a screen reader announces each later turn once', async () => {
  const call = await talkingCall();
  await call.say(turnOf(0, 'Hello, this is Northwind.'), turnOf(1, null));
  const { page, faults } = await visitAsMember();
  await page.goto(`/accounts/${account.id}/calls/${call.id}`);
  const list = transcript(page);
  await list.getByText('Hello, this is Northwind.').waitFor();
  await list.getByText('not transcribed').waitFor();
  expect(await list.getAttribute('aria-live')).toBe('polite');
  expect(await list.getAttribute('aria-relevant')).toBe('additions');
  const added = await watchAddedTurns(page);
  // The words of the callee come late, and take the place of the speech without them.
  await call.say({ ...turnOf(2, 'Yes, speaking.'), replaces: [1] }, turnOf(3, 'I can offer you Tues'));
  await list.getByText('I can offer you Tues').waitFor();
  await expect.poll(() => list.getByText('not transcribed').count()).toBe(0);
  expect(added).toHaveLength(2);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('a member hears both sides of a live call until it ends, and an owner reads in the audit who listened', async () => {
  const account = await stage.account({ agent: { lines: Array.from({ length: 8 }, () => LINES).flat() } });
  const { page, faults, beginSession } = await stage.visit();
  const name = 'Lin Listener';
  await beginSession(await stage.person({ name, memberships: [{ accountId: account.id, role: 'owner' }] }));
  const played = await watchPlayedSound(page);
  const { id } = await stage.place(account, { toNumber: '+12025550100' });
  await page.goto(`/accounts/${account.id}/calls/${id}`);
  await page.getByRole('button', { name: 'Listen', exact: true }).click();
  await page.getByText('You hear the callee on the left').waitFor();
  for (const side of ['callee', 'agent']) {
    const meter = page.getByRole('progressbar', { name: `Level of the ${side}` });
    await expect
      .poll(async () => Number(await meter.getAttribute('aria-valuenow')), { interval: 5 })
      .toBeGreaterThan(0);
  }
  await expect.poll(() => Math.min(played.callee, played.agent)).toBeGreaterThan(0.02);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('button', { name: 'Stop listening' }).click();
  await page.getByText('The audit log notes who listens.').waitFor();
  await page.getByRole('button', { name: 'Listen', exact: true }).click();
  await page.getByText('You hear the callee on the left').waitFor();
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click();
  await standing(page, 'Hung up by you').waitFor();
  for (const name of ['Listen', 'Stop listening']) {
    await expect.poll(() => page.getByRole('button', { name, exact: true }).count()).toBe(0);
  }

  await page.goto(`/accounts/${account.id}/audit?subject=call`);
  await expect.poll(() => page.getByText('Stopped listening to a call').count()).toBe(2);
  expect(await page.getByText('Listens to a live call').count()).toBe(2);
  expect(await page.getByText(name).count()).toBeGreaterThan(3);
  expect(faults).toEqual([]);
});

test('a member instructs the model of a live call, reads it in the transcript, and an owner in the audit; a scripted agent has no such field', async () => {
  const account = await stage.account();
  const agent = await seedConductedAgent(account);
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  const { id } = await stage.place(account, { toNumber: STAYS_SILENT, agentId: agent.id });
  await page.goto(`/accounts/${account.id}/calls/${id}`);
  const field = page.getByRole('textbox', { name: 'Instruct the agent' });
  await field.fill(' ');
  await page.getByRole('button', { name: 'Instruct', exact: true }).click();
  await page.getByText('must not be empty').waitFor();
  await field.fill('Offer a slot on Friday.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('The agent has it.').waitFor();
  expect(await field.inputValue()).toBe('');
  await transcript(page).locator('[data-role=supervisor]').getByText('Offer a slot on Friday.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Hang up' }).click();
  await standing(page, 'Hung up by you').waitFor();
  await expect.poll(() => field.count()).toBe(0);
  await transcript(page).getByText('Offer a slot on Friday.').waitFor();
  await page.goto(`/accounts/${account.id}/audit?subject=call`);
  await page.getByText('Instructs the model of a live call').waitFor();
  expect(await page.getByText('Friday').count()).toBe(0);

  const scripted = await talkingCall(account);
  await page.goto(`/accounts/${account.id}/calls/${scripted.id}`);
  await page.getByRole('button', { name: 'Listen', exact: true }).waitFor();
  expect(await field.count()).toBe(0);
  expect(faults).toEqual([]);
});

test('an ended conversation shows tools where they were used, cuts, and how long the callee waited', async () => {
  const { page, faults } = await visitAsMember();
  const { id } = await stage.place(account, { toNumber: '+12025550100' });
  await stage.untilEnded(account, id);
  await conductByModels(stage.database, id);
  await page.goto(`/accounts/${account.id}/calls/${id}`);
  await transcript(page).getByText('Tool called: free_slots').waitFor();
  await transcript(page).getByText('Interrupted').waitFor();
  await transcript(page).getByText('after 1.2 s').waitFor();
  await page.getByText('for half of the answers; 1.2 s for 95 of 100').waitFor();
  const lines = await transcript(page).getByRole('listitem').allTextContents();
  const place = (text: string) => lines.findIndex((line) => line.includes(text));
  expect(place('free_slots')).toBeGreaterThan(place('Can I move my appointment?'));
  expect(place('free_slots')).toBeLessThan(place('I can offer you Tuesday'));
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

const turnOf = (index: number, text: string | null): LiveTurn => ({
  index,
  replaces: [],
  role: text === null || index === 2 ? 'callee' : 'agent',
  text,
  start_ms: index === 2 ? 1_000 : index * 1_000,
  end_ms: index * 1_000 + 900,
  source: text === null ? 'untranscribed' : 'model',
  interrupted: index === 3,
});

async function pauseDialing(): Promise<void> {
  await stage.admin.dialling.set({ paused: true });
  onTestFinished(async () => void (await stage.admin.dialling.set({ paused: false })));
}

/** Answers, and says nothing. */
const STAYS_SILENT = '+12025550108';

/** An agent of the account that a simulated model conducts. */
async function seedConductedAgent({ id: accountId }: SeededAccount) {
  const model = { provider: 'openai', model: 'gpt-realtime' } as const;
  const { credentialsOf, modelRates, agents } = stage.admin;
  await credentialsOf(null).create({
    provider: 'openai',
    name: 'instructed in a browser',
    apiKey: 'sk-simulated-demo',
    baseUrl: `${await stage.models()}/v1`,
    region: null,
    secretKey: stage.secretKey,
  });
  const price = { priceMicrosPerMillion: micros(1_000_000), estimateMicrosPerMinute: micros(1_000) };
  const rates = [
    { ...model, component: 'realtime' as const, model: '*', unit: 'output_audio_token' as const, ...price },
    { ...model, component: 'stt' as const, model: '*', unit: 'second' as const, ...price },
  ];
  await modelRates.import({ currency: 'USD', rates });
  const settings = agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind {{name}} of a visit.',
    first_message: 'Good morning, this is the dental practice.',
    no_input: { after_ms: 60_000 },
    model,
  });
  return agents.create({ accountId, settings });
}

/** A call in progress whose worker is the test. */
async function talkingCall(of = account) {
  await pauseDialing();
  const { id: callId } = await stage.place(of, { toNumber: '+12025550100' });
  const { side } = stage.database;
  const [row] = await side.$queryRaw<{ readonly id: LiveCallId; readonly atMs: number }[]>`
    UPDATE calls SET status = 'dialing', epoch = 1, worker_id = 'test', started_at = created_at + interval '1 ms',
      lease_renewed_at = clock_timestamp(), lease_expires_at = clock_timestamp() + interval '1 hour'
    WHERE id = ${callId}::uuid RETURNING id, extract(epoch FROM created_at)::float8 * 1000 AS "atMs"`;
  if (row === undefined) throw new Error('the call is queued');
  const store = createDriveStore(stage.database);
  const fence = { callId: row.id, epoch: 1 };
  await store.advance({ ...fence, to: 'in_progress', atMs: row.atMs + 100 });
  const leaseMs = 3_600_000;
  return { id: callId, say: (...turns: readonly LiveTurn[]) => store.renewLease({ ...fence, leaseMs, turns }) };
}

type LiveCallId = Parameters<ReturnType<typeof createDriveStore>['renewLease']>[0]['callId'];

/** What the page shows from now on, at every change: the call's state, and how many turns. */
async function watchGrowth(page: Page) {
  const seen: { readonly status: string; readonly turns: number }[] = [];
  await page.exposeFunction('noteGrowth', (status: string, turns: number) => void seen.push({ status, turns }));
  await page.addInitScript(() => {
    let last = '';
    const look = () => {
      const status = document.querySelector('main span[aria-live=polite]')?.textContent ?? '';
      const turns = document.querySelectorAll('ol[aria-label=Transcript] > li').length;
      const now = `${status} ${turns}`;
      const note: unknown = Reflect.get(globalThis, 'noteGrowth');
      if (now === last || turns === 0 || typeof note !== 'function') return;
      last = now;
      note(status, turns);
    };
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
  return seen;
}

/** The texts of turns that are added to the transcript from now on, until the page is left. */
async function watchAddedTurns(page: Page): Promise<readonly string[]> {
  const added: string[] = [];
  await page.exposeFunction('noteTurn', (text: string) => void added.push(text));
  await transcript(page).evaluate((list) => {
    const note: unknown = Reflect.get(globalThis, 'noteTurn');
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) if (typeof note === 'function') note(node.textContent);
      }
    }).observe(list, { childList: true });
  });
  return added;
}

/** The peak of what the page has given to the loudspeaker, on each side. */
async function watchPlayedSound(page: Page) {
  const played = { callee: 0, agent: 0 };
  await page.exposeFunction('notePlayed', (callee: number, agent: number) => {
    played.callee = Math.max(played.callee, callee);
    played.agent = Math.max(played.agent, agent);
  });
  await page.addInitScript(() => {
    // oxlint-disable-next-line typescript/unbound-method -- called with its node below
    AudioBufferSourceNode.prototype.start = new Proxy(AudioBufferSourceNode.prototype.start, {
      apply(start, node: AudioBufferSourceNode, times: number[]) {
        const note: unknown = Reflect.get(globalThis, 'notePlayed');
        const peakOf = (channel: number) => Math.max(...(node.buffer?.getChannelData(channel) ?? [0]));
        if (typeof note === 'function') note(peakOf(0), peakOf(1));
        return Reflect.apply(start, node, times);
      },
    });
  });
  return played;
}
