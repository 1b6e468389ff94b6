import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import type { Visit, VisitOptions } from '../test/visit.ts';

const PHONE = { width: 390, height: 844 };
/** Two lines are no contact: the second has no number, and the fourth no name. */
const CSV = 'Telephone;name;CRM\n(202) 555-0100;Ada;7\n12;Ben;8\n+1 202 555 0101;Carl;9\n+12025550103;;10\n';

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

async function openWizard(account: SeededAccount, options?: VisitOptions): Promise<Visit> {
  const visit = await stage.visit(options);
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'member' }] }));
  await visit.page.goto(`/accounts/${account.id}/campaigns/new`);
  await visit.page.getByRole('heading', { name: 'New campaign', level: 1 }).waitFor();
  return visit;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

const chooseFile = (page: Page, text: string) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

test('a member makes a campaign of a file with two bad lines, reads what will happen, and starts it', async () => {
  const { page, faults } = await openWizard(await stage.account());
  await page.getByText('The agent needs of each contact:').waitFor();
  await press(page, 'Create draft and add contacts');
  await page.getByText('Choose a file', { exact: true }).waitFor();
  await page.getByText('Fix 2 fields').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByLabel('Name', { exact: true }).fill('Autumn reminders');
  await chooseFile(page, CSV);
  await page.getByText('Choose the column of the numbers').waitFor();
  await choose(page, 'Numbers', 'Telephone');
  await page.getByText('4 lines of the file: 3 that are no contact').waitFor();
  await choose(page, 'Country of numbers without a country code', 'United States (US)');
  await page.getByText('4 lines of the file: 2 that are no contact').waitFor();
  await page.getByRole('combobox', { name: 'Kept as metadata' }).click();
  await page.getByRole('option', { name: 'CRM', exact: true }).click();
  await page.keyboard.press('Escape');
  const preview = page.getByRole('table', { name: 'First lines of the file' });
  await preview.getByRole('row', { name: '2 +1 202 555 0100 Ada 7' }).waitFor();
  await preview.getByText('name is empty, and the agent needs the variable name').waitFor();

  await page.getByRole('switch', { name: 'Call only in these hours' }).check();
  await page.getByRole('combobox', { name: 'Time zone of these hours' }).fill('America/New_York');
  await page.getByRole('textbox', { name: 'Monday', exact: true }).fill('0-24');
  await press(page, 'Copy Monday');
  await page.getByRole('menuitem', { name: 'Copy to every day' }).click();
  await page.getByLabel('Calls that begin in a second').fill('5');
  await page.getByLabel('Calls that are open at once').fill('2');
  await page.getByRole('checkbox', { name: 'Try again' }).check();
  await page.getByLabel('Budget in USD').fill('200');
  await page
    .getByText(
      'Calls everyone in the file with agent “Reminder” (version 1), at most 5 a second and 2 at once, every day all day New York time, each up to 3 times, and stops at $200. The first call begins now.',
    )
    .waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await press(page, 'Create draft and add contacts');

  await page.getByRole('heading', { name: 'Check and start', level: 1 }).waitFor();
  await page.getByText('2 contacts added. 2 lines are no contact, and left out.').waitFor();
  await page.getByRole('table', { name: 'Invalid lines' }).getByRole('row', { name: '3 Telephone' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download all errors' }).click();
  expect((await download).suggestedFilename()).toBe('errors.csv');
  await page.getByText('Calls 2 people with agent “Reminder” (version 1)').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  // The draft and the report of its file are there after a reload.
  await page.reload();
  await page.getByText('2 contacts added.').waitFor();
  await press(page, 'Start campaign');
  await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
  await page.getByRole('heading', { name: 'Autumn reminders', level: 1 }).waitFor();
  await page.getByText('Running', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
});

test('a refused file costs nothing that was filled in; pasted numbers and changed settings go on', async () => {
  const account = await stage.account({ agent: { first_message: 'Hello, this is a reminder.' } });
  const visit = await openWizard(account, { viewport: PHONE });
  const { page, faults } = visit;
  await page.getByText('The agent needs no variables').waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Winter');
  await chooseFile(page, `phone,note\n${'+12025550100,x\n'.repeat(20_000)}"+12025550101`);
  await page.getByText('The first 10 lines of the file: no problem.').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  visit.expectStatus(400);
  await press(page, 'Create draft and add contacts');
  await page.getByText('Nothing of people.csv was added').waitFor();
  await page.getByText(/has a quote in line 20002 that is never closed/).waitFor();
  expect(await page.getByRole('button', { name: 'Start campaign' }).isDisabled()).toBe(true);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByText('Paste numbers').click();
  await page.getByRole('textbox', { name: 'Numbers' }).fill('+1 202 555 0100\n+1 202 555 0101\n+1 202 555 0100');
  await press(page, 'Add contacts');
  await page.getByText('2 contacts added. 1 was there before, or twice.').waitFor();

  await page.getByRole('link', { name: 'Change settings' }).click();
  await page.getByRole('heading', { name: 'Campaign settings', level: 1 }).waitFor();
  await page.getByText('At a time', { exact: true }).click();
  await press(page, 'Save settings');
  await page.getByText('Choose a date and time').waitFor();
  const later = new Date(Date.now() + 72 * 3_600_000).toISOString().slice(0, 16);
  await page.getByLabel('Begins', { exact: true }).fill(later);
  await page.getByLabel('Ends (optional)').fill(later);
  await press(page, 'Save settings');
  await page.getByText('Must be after the start').waitFor();
  await page.getByLabel('Ends (optional)').fill('');
  await press(page, 'Save settings');
  await page.getByText(/The first call begins on/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  expect(await accessibilityFaults(page)).toEqual([]);
  await press(page, 'Schedule campaign');
  await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
  await page.getByText('Scheduled', { exact: true }).first().waitFor();
  expect(faults).toEqual([]);
});
