import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { follow } from '../test/page-states.ts';
import type { Person, SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

const LONG = 'N'.repeat(100);
const PHONE = { width: 390, height: 844 };

let stage: Stage;
let account: SeededAccount;
let owner: Person;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account({ name: LONG, agent: { name: LONG } });
  const memberships = [{ accountId: account.id, role: 'owner' as const }];
  owner = await stage.person({ memberships, isOperator: true });
  await stage.person({ name: LONG, memberships });
  await stage.place(account, { toNumber: '+12025550101' });
});

async function openPage(path: string, viewport: { readonly width: number; readonly height: number }) {
  const visit = await stage.visit({ viewport });
  await visit.beginSession(owner);
  await visit.page.goto(`/accounts/${account.id}/${path}`);
  return visit;
}

/** Whether the whole element lies between the page's left and right edge. */
async function isInSight(page: Page, locator: Locator): Promise<boolean> {
  await locator.waitFor();
  const box = await locator.boundingBox();
  return box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0);
}

const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test.each([
  ['a phone', PHONE],
  ['a laptop', { width: 1_280, height: 900 }],
])('on %s every button of a table is in sight, however long the names are', async (_, viewport) => {
  const { page, faults } = await openPage('members', viewport);
  const other = page.getByRole('row').filter({ hasText: LONG });
  expect(await isInSight(page, other.getByRole('button', { name: 'Remove' }))).toBe(true);
  expect(await isInSight(page, other.getByRole('combobox'))).toBe(true);
  expect(await overflows(page)).toBe(false);

  await follow(page, `/accounts/${account.id}/api-keys`);
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill(LONG);
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: LONG }).first();
  expect(await isInSight(page, row.getByRole('button', { name: 'Revoke' }))).toBe(true);
  expect(await overflows(page)).toBe(false);

  await follow(page, `/accounts/${account.id}/agents`);
  expect(await isInSight(page, page.getByRole('link', { name: /^Test call/ }))).toBe(true);
  expect(await overflows(page)).toBe(false);
  await follow(page, `/accounts/${account.id}/numbers`);
  expect(await isInSight(page, page.getByRole('switch'))).toBe(true);
  expect(faults).toEqual([]);
});

test('on a phone a table stays a table for screen readers, without accessibility violations', async () => {
  const { page, faults } = await openPage('members', PHONE);
  const table = page.getByRole('table', { name: 'Members' });
  await table.waitFor();
  expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Name', 'Role', 'Joined', 'Actions']);
  expect(await table.getByRole('row').nth(1).getByRole('cell').count()).toBe(4);
  expect(await accessibilityFaults(page)).toEqual([]);
  await follow(page, `/accounts/${account.id}/wallet`);
  await page.getByRole('table', { name: 'Ledger' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('a revoked key is shown only on request', async () => {
  const { page, faults } = await openPage('api-keys', { width: 1_280, height: 900 });
  await page.getByRole('button', { name: 'Revoke' }).first().waitFor();
  const before = await page.getByRole('button', { name: 'Revoke' }).count();
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke API key' }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(() => page.getByRole('button', { name: 'Revoke' }).count()).toBe(before - 1);
  await expect.poll(() => page.getByText('Revoked', { exact: true }).count()).toBe(0);
  await page.getByLabel(/Show revoked and expired keys/).check();
  await page.getByText('Revoked', { exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test('draining the last worker that takes calls shows a warning', async () => {
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(owner);
  await page.goto('/operations');
  await page.getByRole('button', { name: /^Drain worker/ }).click();
  await page.getByRole('dialog').getByText('No other worker takes calls.').waitFor();
  expect(faults).toEqual([]);
});
