import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { placeCall, standing, watchSound } from '../test/call-pages.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import type { Visit } from '../test/visit.ts';

let stage: Stage;
let account: SeededAccount;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account();
});

async function visitAsMember(): Promise<Visit> {
  const visit = await stage.visit();
  const person = await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] });
  await visit.signIn(person);
  return visit;
}

test('a call is placed, moves to its end without a reload, and its recording plays with the transcript following', async () => {
  const { page, faults } = await visitAsMember();
  const currentSeconds = await watchSound(page);
  await page.reload();
  await page.evaluate(() => Reflect.set(globalThis, 'isSamePage', true));
  await placeCall(page, '+12025550100', { name: 'Ada' });
  await standing(page, 'Agent hung up').waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const answered = timeline.getByRole('listitem').filter({ hasText: 'Answered' });
  await answered.first().waitFor();

  const turns = page.getByRole('list', { name: 'Transcript' }).getByRole('button');
  await expect.poll(() => turns.count()).toBeGreaterThan(2);
  await turns.filter({ hasText: 'Hello Ada, this is a reminder' }).waitFor();
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(currentSeconds).toBeGreaterThan(0.5);

  const heard = await watchHeardTurns(page);
  const [second = '', third = ''] = (await turns.allTextContents()).slice(1);
  await turns.nth(1).click();
  // The next turn by itself, as the recording reaches it.
  await expect.poll(heard).toEqual(expect.arrayContaining([second, third]));
  expect(await currentSeconds()).toBeGreaterThan(1);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage'))).toBe(true);
  expect(faults).toEqual([]);
});

test('the list of calls shows an agent’s full name, and a truncated one in a tooltip', async () => {
  const { page, faults, beginSession } = await stage.visit();
  const short = 'Appointment reminder';
  const long = 'Reminds people of appointments that they made, in a friendly voice, a day before';
  const agents = await Promise.all(
    [short, long].map(async (name) => ({ name, account: await stage.account({ agent: { name } }) })),
  );
  const memberships = agents.map(({ account: { id } }) => ({ accountId: id, role: 'member' as const }));
  await beginSession(await stage.person({ memberships }));
  for (const { name, account: of } of agents) {
    await stage.place(of, { toNumber: '+12025550101' });
    await page.goto(`/accounts/${of.id}/calls`);
    const cell = page.getByRole('cell', { name, exact: true });
    await cell.waitFor();
    // The row is redrawn at each change of the call.
    const shown = () =>
      cell.evaluate((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const met = document.elementFromPoint(x + width / 2, y + height / 2)?.closest('[title]');
        const isWhole = element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight;
        return { isWhole, tooltip: met?.getAttribute('title') };
      });
    await expect.poll(shown).toEqual({ isWhole: name === short, tooltip: expect.stringContaining(name) });
  }
  expect(faults).toEqual([]);
});

test('the list of calls shows what happened while the API was down', async () => {
  const visit = await visitAsMember();
  const { page, faults } = visit;
  await stage.admin.dialling.set({ paused: true });
  onTestFinished(async () => void (await stage.admin.dialling.set({ paused: false })));
  await placeCall(page, '+12025550101', { name: 'Grace' });
  const callId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByRole('navigation').getByRole('link', { name: 'Calls' }).click();
  const row = page.getByRole('row').filter({ has: page.locator(`[data-call-link="${callId}"]`) });
  await row.getByText('Queued').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const streams: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/changes')) streams.push(request.headers()['last-event-id']);
  });

  visit.expectOutage();
  visit.expectStatus(503);
  onTestFinished(() => stage.startApi());
  await stage.stopApi();
  await page.getByText('Reconnecting').waitFor();
  await stage.admin.dialling.set({ paused: false });
  await expect.poll(() => statusOf(callId)).toBe('ended');
  await stage.startApi();
  await row.getByText('Busy').waitFor();
  expect(streams.at(-1)).toMatch(/./);
  expect(faults).toEqual([]);
});

/** The turns of the transcript that were highlighted, from now on. */
async function watchHeardTurns(page: Page): Promise<() => Promise<unknown>> {
  await page.getByRole('list', { name: 'Transcript' }).evaluate((list) => {
    const heard: string[] = [];
    Reflect.set(globalThis, 'heard', heard);
    const look = () => {
      for (const turn of list.querySelectorAll('[aria-current=true]')) heard.push(turn.textContent);
    };
    new MutationObserver(look).observe(list, { subtree: true, attributeFilter: ['aria-current'] });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, 'heard'));
}

async function statusOf(callId: string): Promise<string | undefined> {
  const [call] = await stage.database.side.$queryRaw<{ readonly status: string }[]>`
    SELECT status::text FROM calls WHERE id = ${callId}::uuid`;
  return call?.status;
}
