import type { Locator, Page } from 'playwright-core';
import type { Role } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { pressPlaceCall, standing } from '../test/call-pages.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import type { Visit, VisitOptions } from '../test/visit.ts';

const PHONE = { width: 390, height: 844 };

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

/** The list of an account, as a member of that role sees it. */
async function openList(account: SeededAccount, role: Role, options?: VisitOptions): Promise<Visit> {
  const visit = await stage.visit(options);
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role }] }));
  await visit.page.goto(`/accounts/${account.id}/do-not-call`);
  await visit.page.getByRole('heading', { name: 'Do not call', level: 1 }).waitFor();
  return visit;
}

interface AddedNumbers {
  readonly numbers: readonly string[];
  readonly reason: string;
}

/** As the dashboard adds them. */
async function addNumbers({ page }: Visit, account: SeededAccount, data: AddedNumbers): Promise<void> {
  const added = await page.request.post(`/api/dashboard/accounts/${account.id}/suppressions`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    data,
  });
  expect(added.status()).toBe(201);
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog');
const rowOf = (page: Page, number: string): Locator =>
  page.getByRole('table', { name: 'Do-not-call list' }).getByRole('row', { name: number });

async function pressIn(scope: Page | Locator, name: string): Promise<void> {
  await scope.getByRole('button', { name, exact: true }).click();
}

test('an owner adds, finds, checks and removes numbers, and every line that is no number is named', async () => {
  const { page, faults } = await openList(await stage.account(), 'owner');
  const dialog = dialogOf(page);
  await page.getByText('No numbers on your list').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await pressIn(page, 'Add numbers');
  await dialog.getByLabel('Numbers').fill('+1 202 555 0101\n\n202 555\n0044 20 7946 0000');
  await dialog.getByLabel('Reason').fill('Wrong person');
  await pressIn(dialog, 'Add numbers');
  await dialog.getByText('One line is not a number with its country code').waitFor();
  await dialog.getByRole('table', { name: 'Invalid lines' }).getByRole('row', { name: '3 202 555' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByLabel('Numbers').fill('+1 202 555 0101\n0044 20 7946 0000');
  await pressIn(dialog, 'Add numbers');
  await page.getByText('2 numbers added to the list.').waitFor();
  await rowOf(page, '+1 202 555 0101').getByText('Wrong person').waitFor();

  const search = page.getByRole('textbox', { name: 'Search by number' });
  await search.fill('(202) 555-0101');
  await search.press('Enter');
  await page.getByText('Enter a number with its country code').waitFor();
  await search.fill('+1 (202) 555-0101');
  await page.waitForURL(/number=%2B12025550101/);
  await rowOf(page, '+44').waitFor({ state: 'hidden' });
  await rowOf(page, '+1 202 555 0101').waitFor();

  await pressIn(page, 'Check a number');
  await dialog.getByLabel('Number').fill('+442079460000');
  await pressIn(dialog, 'Check number');
  await dialog.getByText('On your do-not-call list').waitFor();
  await dialog.getByText('“Wrong person”').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByLabel('Number').fill('+12025550102');
  await pressIn(dialog, 'Check number');
  await dialog.getByText('+1 202 555 0102 can be called.').waitFor();
  await pressIn(dialog, 'Cancel');

  await pressIn(page, 'Remove +1 202 555 0101');
  await pressIn(dialog, 'Remove number');
  await dialog.getByText('Must not be empty').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByLabel('Reason').fill('They asked for calls again.');
  await pressIn(dialog, 'Remove number');
  await page.getByText('+1 202 555 0101 is not on your list').waitFor();
  await pressIn(page, 'Show all numbers');
  await rowOf(page, '+44').waitFor();
  await page.getByRole('link', { name: 'Audit log' }).click();
  const removed = page.getByRole('row', { name: 'Number removed from the do-not-call list' });
  await removed.getByText('They asked for calls again.').waitFor();
  expect(faults).toEqual([]);
});

test('a file is imported line by line: valid numbers are added, and the others are reported', async () => {
  const { page, faults } = await openList(await stage.account(), 'member');
  const dialog = dialogOf(page);
  await pressIn(page, 'Import a file');
  await pressIn(dialog, 'Import file');
  await dialog.getByText('Choose a file', { exact: true }).waitFor();
  await page.locator('input[type=file]').setInputFiles({
    name: 'stop.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,phone\nAda,+12025550101\nGrace,unknown\nAlan,+12025550102\n'),
  });
  await dialog.getByLabel('Column').fill('phone');
  await pressIn(dialog, 'Import file');
  await dialog.getByText('2 numbers added to the list.').waitFor();
  await dialog.getByRole('table', { name: 'Invalid lines' }).getByRole('row', { name: '3 unknown' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await pressIn(dialog, 'Done');
  await rowOf(page, '+1 202 555 0102').getByText('From a file').waitFor();
  expect(faults).toEqual([]);
});

test('a member reads the list page by page and by kind, and cannot remove a number', async () => {
  const account = await stage.account();
  const visit = await openList(account, 'member');
  const { page, faults } = visit;
  const numbers = Array.from({ length: 51 }, (_, at) => `+120255501${String(at).padStart(2, '0')}`);
  await addNumbers(visit, account, { numbers, reason: 'Wrong person' });
  await page.reload();
  const rows = page.getByRole('table', { name: 'Do-not-call list' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(1 + 50);
  await pressIn(page, 'Load more');
  await expect.poll(() => rows.count()).toBe(1 + 51);
  expect(await page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
  await page.getByText('only owners remove them').waitFor();
  expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  await page.getByRole('combobox', { name: 'Kind' }).click();
  await page.getByRole('option', { name: 'Opted out' }).click();
  await page.getByText('No entries of this kind').waitFor();
  expect(faults).toEqual([]);
});

test('a person opts out on a call’s page, and the number cannot be called any more', async () => {
  const account = await stage.account();
  const { id: callId } = await stage.place(account, { toNumber: '+12025550101' });
  await stage.untilEnded(account, callId);
  const visit = await openList(account, 'owner');
  const { page, faults } = visit;
  const dialog = dialogOf(page);
  await page.goto(`/accounts/${account.id}/calls/${callId}`);
  await standing(page, 'Busy').waitFor();
  await pressIn(page, 'Never call again');
  await dialog.getByText('This call is over and stays as it is.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByLabel('Reason').fill('Take me off your list.');
  await pressIn(dialog, 'Never call again');
  await page.getByText('On your do-not-call list', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Timeline' }).getByText('Opted out', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Never call again' }).waitFor({ state: 'hidden' });
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('link', { name: 'Call again' }).click();
  await page.getByText('On your do-not-call list', { exact: true }).waitFor();
  await page.getByText('only your operator lifts it').waitFor();
  visit.expectStatus(403);
  await pressPlaceCall(page);
  await page.getByText('On a do-not-call list', { exact: true }).waitFor();
  await page.getByText('No call was placed and nothing was charged').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('link', { name: 'Open do-not-call list' }).first().click();
  const row = rowOf(page, '+1 202 555 0101');
  await row.getByText('Stands: only your operator lifts it').waitFor();
  expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
  await row.getByRole('link', { name: 'View call' }).click();
  await standing(page, 'Busy').waitFor();
  expect(faults).toEqual([]);
});

test('on a phone every button of the list is in sight', async () => {
  const account = await stage.account();
  const visit = await openList(account, 'owner', { viewport: PHONE });
  const { page, faults } = visit;
  await addNumbers(visit, account, { numbers: ['+12025550101'], reason: 'N'.repeat(200) });
  await page.reload();
  for (const name of ['Add numbers', 'Import a file', 'Check a number', 'Remove +1 202 555 0101']) {
    const button = page.getByRole('button', { name, exact: true });
    await button.waitFor();
    const { x = -1, width = 0 } = (await button.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(PHONE.width);
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});
