import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

const rowOf = (page: Page, callId: string) =>
  page.getByRole('row').filter({ has: page.locator(`[data-call-link="${callId}"]`) });

test('a list that is shown again includes changes from while other filters were active', async () => {
  const account = await stage.account();
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await page.goto(`/accounts/${account.id}/calls`);
  await stage.admin.dialling.set({ paused: true });
  onTestFinished(async () => void (await stage.admin.dialling.set({ paused: false })));
  const { id } = await stage.place(account, { toNumber: '+12025550101' });
  const row = rowOf(page, id);
  await row.getByText('Queued').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();

  const filters = page.getByRole('search', { name: 'Filter calls' });
  await filters.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Ended' }).click();
  await row.waitFor({ state: 'detached' });
  await stage.admin.dialling.set({ paused: false });
  await row.getByText('Busy').waitFor();
  await filters.getByRole('button', { name: 'Clear filters', exact: true }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await row.getByText('Busy').waitFor();
  expect(faults).toEqual([]);
});

test('changes of one account are not shown in the list of another', async () => {
  const [busy, calm] = [
    await stage.account({ name: 'Northwind Dental' }),
    await stage.account({ name: 'Harbour Clinics' }),
  ];
  const { page, faults, signIn } = await stage.visit();
  await page.clock.install();
  await watchParsed(page);
  const memberships = [busy, calm].map(({ id }) => ({ accountId: id, role: 'member' as const }));
  await signIn(await stage.person({ memberships }));
  const { id: own } = await stage.place(calm, { toNumber: '+12025550101' });
  await page.goto(`/accounts/${calm.id}/calls`);
  await rowOf(page, own).getByText('Busy').waitFor();
  await choose(page, 'Northwind Dental');
  await page.getByText('Live', { exact: true }).waitFor();
  // From here on the calm account's list gets no new data except from the stream.
  await page.route(`**/accounts/${calm.id}/{changes,calls*}`, () => undefined);

  // No frames are drawn: changes wait to be shown, and the user leaves the page before that.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  const { id: other } = await stage.place(busy, { toNumber: '+12025550101' });
  await expect.poll(() => hasParsed(page, other)).toBe(true);
  await page.goBack();
  await page.getByRole('button', { name: 'Account: Harbour Clinics' }).waitFor();
  await page.clock.resume();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)))),
  );
  await rowOf(page, own).waitFor();
  expect(await page.locator('[data-call-link]').count()).toBe(1);
  expect(faults).toEqual([]);
});

/** Records the JSON that the page parses from now on. Call it before the page is opened. */
async function watchParsed(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const parsed: string[] = [];
    Reflect.set(globalThis, 'parsed', parsed);
    JSON.parse = new Proxy(JSON.parse, {
      apply(parse, self, [text]: [string]) {
        parsed.push(text);
        return Reflect.apply(parse, self, [text]);
      },
    });
  });
}

function hasParsed(page: Page, callId: string): Promise<boolean> {
  return page.evaluate((callId) => {
    const parsed: unknown = Reflect.get(globalThis, 'parsed');
    return Array.isArray(parsed) && parsed.some((text) => String(text).includes(callId));
  }, callId);
}

async function choose(page: Page, accountName: string): Promise<void> {
  await page.getByRole('button', { name: /^Account: / }).click();
  await page.getByRole('menuitem', { name: accountName }).click();
  await page.getByRole('button', { name: `Account: ${accountName}` }).waitFor();
}
