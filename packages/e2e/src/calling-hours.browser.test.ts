import type { Locator, Page } from 'playwright-core';
import { WEEKDAYS } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { openPlacement, pressPlaceCall, standing } from '../test/call-pages.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import type { Visit, VisitOptions } from '../test/visit.ts';

const HOUR_MS = 3_600_000;
const NEW_YORK = '+12125550101';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

/** The page of the account's hours, as an owner sees it. */
async function openHours(account: SeededAccount, options?: VisitOptions): Promise<Visit> {
  const visit = await stage.visit(options);
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await visit.page.goto(`/accounts/${account.id}/calling-hours`);
  await visit.page.getByRole('heading', { name: 'Calling hours', level: 1 }).waitFor();
  return visit;
}

/** As the dashboard saves them: one time for each day. */
async function saveHours({ page }: Visit, account: SeededAccount, time: string): Promise<void> {
  const week = Object.fromEntries(WEEKDAYS.map((day) => [day, [time]]));
  const saved = await page.request.put(`/api/dashboard/accounts/${account.id}/account/calling-policy`, {
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    data: { windows: { default: week } },
  });
  expect(saved.status()).toBe(200);
}

/** An hour of each day, half a day from now in New York: also where clocks change, it has not begun and begins soon. */
function timeAhead(): string {
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'America/New_York' });
  const from = Number(hour.format(Date.now() + 12 * HOUR_MS));
  return `${String(from).padStart(2, '0')}:00-${String(from + 1).padStart(2, '0')}:00`;
}

const inForce = (page: Page): Locator => page.getByRole('region', { name: 'In force' });

async function press(scope: Page | Locator, name: string): Promise<void> {
  await scope.getByRole('button', { name, exact: true }).click();
}

test('an owner begins with built-in rules, changes and saves them, and uses the old version again', async () => {
  const { page, faults } = await openHours(await stage.account());
  await inForce(page).getByText('Every hour is open.').waitFor();
  await page.getByRole('link', { name: 'Edit calling hours' }).click();
  await press(page, 'United States');
  await page.getByText('Florida, Maryland, Oklahoma and Washington State only until 20:00.').waitFor();

  const monday = page.getByRole('textbox', { name: 'Monday', exact: true });
  await monday.fill('9 to five');
  await page.getByText('Must be like 08:00-21:00, with 24:00 for the end of the day').waitFor();
  await page.getByText('Fix 1 field').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await monday.fill('9-17');
  await monday.blur();
  expect(await monday.inputValue()).toBe('09:00-17:00');
  await press(page, 'Copy Monday');
  await page.getByRole('menuitem', { name: 'Copy to all weekdays' }).click();
  await page.getByRole('combobox', { name: 'Country or region' }).fill('GB');
  await press(page, 'Add region');
  await page.getByRole('textbox', { name: 'United Kingdom, Monday' }).waitFor();
  await press(page, 'Remove Florida');
  await page.getByRole('button', { name: /^US federal holidays/ }).click();
  await page.getByText(`25 Dec ${new Date().getFullYear() + 1}`).waitFor();
  await press(page, 'Remove limit 2');
  await page.getByText('Mon–Fri 09:00–17:00, Sat–Sun 08:00–21:00, by the callee’s clock.').waitFor();
  await press(page, 'Save calling hours');

  await inForce(page).getByText('Version 1, saved by Sam Rivera').waitFor();
  await inForce(page).getByText('Mon–Fri 09:00–17:00, Sat–Sun 08:00–21:00, by the callee’s clock.').waitFor();
  await page.getByRole('link', { name: 'Edit calling hours' }).click();
  await press(page, 'No rules');
  await page.getByRole('link', { name: 'Wallet' }).click();
  await press(page.getByRole('dialog'), 'Keep editing');
  await press(page, 'Save calling hours');
  await inForce(page).getByText('Every hour is open.').waitFor();

  await press(page, 'View version 1');
  await page.getByRole('dialog').getByText('At most 3 calls to a number in 24 hours.').waitFor();
  await page.getByRole('dialog').getByRole('link', { name: 'Use again' }).click();
  await page.getByRole('group', { name: 'United Kingdom', exact: true }).waitFor();
  await press(page, 'Save calling hours');
  await inForce(page).getByText('Version 3, saved by Sam Rivera').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});

test('outside the hours the verdict says when they open, and a call waits for them', async () => {
  const account = await stage.account();
  const visit = await openHours(account);
  const { page, faults } = visit;
  await saveHours(visit, account, timeAhead());
  await page.reload();
  const asked = page.getByRole('region', { name: 'What would happen' });
  await asked.getByLabel('Number').fill(NEW_YORK);
  await press(asked, 'Ask');
  await asked.getByText(/closed in New York \(\d\d:\d\d\)\. The hours open at/).waitFor();
  await asked
    .getByRole('row', { name: /America\/New_York/ })
    .getByText('Closed')
    .waitFor();
  await asked.getByText('On no do-not-call list.').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await openPlacement(page, NEW_YORK, { name: 'Ada' });
  await page.getByText('A call now is refused, unless you choose').waitFor();
  visit.expectStatus(403);
  await pressPlaceCall(page);
  await page.getByText('Place the call then, or let it wait until the hours open.').waitFor();
  await page.getByRole('checkbox', { name: 'Wait until the hours open' }).check();
  await page.getByText('The call waits until then.').waitFor();
  await pressPlaceCall(page);
  await standing(page, 'Scheduled').waitFor();
  await page
    .getByText(/Waiting for calling hours, until/)
    .first()
    .waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText(/^For calling hours, until/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(faults).toEqual([]);
});
