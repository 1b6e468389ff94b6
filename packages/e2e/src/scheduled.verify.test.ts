import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { openPlacement, pressPlaceCall, standing } from '../test/call-pages.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import type { Visit } from '../test/visit.ts';

/** Later than now in every time zone that the browser may have. */
const LATER_MS = 36 * 3_600_000;
const CALL_URL = /\/calls\/[0-9a-f-]{36}$/;

let stage: Stage;
let account: SeededAccount;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account();
});

async function visitAsMember(): Promise<Visit> {
  const visit = await stage.visit();
  await visit.signIn(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  return visit;
}

const scheduleOf = (page: Page): Locator => page.getByRole('region', { name: 'Schedule' });
const fact = (page: Page, name: string, value: string): Locator =>
  scheduleOf(page)
    .locator('dl > div', { has: page.getByText(name, { exact: true }) })
    .getByText(value, { exact: true });

async function cancelCall(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Cancel call' }).click();
  await dialog.getByText('It is never dialed').waitFor();
  await dialog.getByRole('button', { name: 'Cancel call' }).click();
  await standing(page, 'Cancelled').waitFor();
}

test('a call is placed for later, waits without a reservation, and is cancelled at no cost', async () => {
  const { page, faults } = await visitAsMember();
  await openPlacement(page, '+12025550100', { name: 'Ada' });
  await page.getByText('Later', { exact: true }).click();
  await page.getByRole('button', { name: 'Schedule call' }).click();
  await page.getByText('Choose a date and time').waitFor();
  await page.getByLabel('Date and time').fill(new Date(Date.now() + LATER_MS).toISOString().slice(0, 16));
  await page.getByText('Until then it reserves no funds and no slot').waitFor();
  await page.getByRole('button', { name: 'Schedule call' }).click();
  await page.waitForURL(CALL_URL);

  await standing(page, 'Scheduled').waitFor();
  await scheduleOf(page).getByText('The call is due on').waitFor();
  await fact(page, 'Attempt', '1').waitFor();
  const progress = page.getByRole('list', { name: 'Call progress' });
  await progress.locator('[aria-current=step]', { hasText: 'Scheduled' }).waitFor();
  await page.getByText('Funds are reserved when the call is due').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  const callId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await page.getByRole('navigation').getByRole('link', { name: 'Calls' }).click();
  const row = page.getByRole('row').filter({ has: page.locator(`[data-call-link="${callId}"]`) });
  await row.getByText('Scheduled', { exact: true }).waitFor();
  await row.getByText(/^Due \d/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await row.getByRole('link').click();
  await cancelCall(page);
  await page.getByText('Nothing was reserved, and nothing is charged').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel call' }).count()).toBe(0);
  expect(faults).toEqual([]);
});

test('a call to a busy number is tried again: its page leads to the next call, which leads back', async () => {
  const { page, faults } = await visitAsMember();
  await openPlacement(page, '+12025550101', { name: 'Grace' });
  await page.getByText('The call is dialed now. If all slots are taken, it is not placed.').waitFor();
  await page.getByRole('checkbox', { name: 'Try again' }).check();
  await page.getByLabel('Calls in all').fill('11');
  await page.getByRole('button', { name: 'Place call' }).click();
  await page.getByText('Must be at most 10').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel('Calls in all').fill('2');
  await page.getByText('it is tried again after 15 min, with at most 2 calls in all').waitFor();
  await pressPlaceCall(page);
  await page.waitForURL(CALL_URL);

  await standing(page, 'Busy').waitFor();
  const firstUrl = page.url();
  await scheduleOf(page).getByRole('link', { name: 'Next call' }).click();
  await page.waitForURL((url) => CALL_URL.test(url.href) && url.href !== firstUrl);
  await standing(page, 'Scheduled').waitFor();
  await fact(page, 'Attempt', '2').waitFor();
  await cancelCall(page);

  await scheduleOf(page).getByRole('link', { name: 'Previous call' }).click();
  await page.waitForURL(firstUrl);
  await standing(page, 'Busy').waitFor();
  // The first call was dialed at once, so it never was scheduled.
  await page.getByRole('region', { name: 'Timeline' }).getByText('Queued', { exact: true }).waitFor();
  expect(await page.getByRole('region', { name: 'Timeline' }).getByText('Scheduled', { exact: true }).count()).toBe(0);
  expect(faults).toEqual([]);
});
