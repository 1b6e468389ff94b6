import type { Locator, Page } from 'playwright-core';
import { campaignEnvelopeSchema, type Role } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { accessibilityFaults } from '../test/accessibility.ts';
import { standing } from '../test/call-pages.ts';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import type { Visit, VisitOptions } from '../test/visit.ts';

const PHONE = { width: 390, height: 844 };
const DAY_MS = 86_400_000;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

let stage: Stage;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
});

/** The campaigns of an account, as a member of that role sees them. */
async function openCampaigns(account: SeededAccount, role: Role, options?: VisitOptions): Promise<Visit> {
  const visit = await stage.visit(options);
  await visit.beginSession(await stage.person({ memberships: [{ accountId: account.id, role }] }));
  await visit.page.goto(`/accounts/${account.id}/campaigns`);
  await visit.page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor();
  return visit;
}

/** A request of a program with the account's key, again while no store answers a busy machine in time. */
async function post({ key }: SeededAccount, path: string, body: object): Promise<unknown> {
  const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
  for (;;) {
    const request = { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(`${stage.url}/api/v1/campaigns${path}`, request);
    if (answer.status === 503) continue;
    const json: unknown = await answer.json();
    expect([answer.ok, json]).toEqual([true, json]);
    return json;
  }
}

async function createCampaign(account: SeededAccount, changes: object, numbers: readonly string[]): Promise<string> {
  const made = await post(account, '', { name: 'Autumn recall', agent_id: account.agentId, ...changes });
  const { id } = campaignEnvelopeSchema.parse(made).campaign;
  const contacts = numbers.map((number) => ({ to_number: number, variables: { name: 'Ada' } }));
  if (contacts.length > 0) await post(account, `/${id}/contacts`, { contacts });
  return id;
}

/** Hours that open in two or three days: closed whenever the test runs. */
function closedHours() {
  const opens = WEEKDAYS[new Date(Date.now() + 3 * DAY_MS).getUTCDay()] ?? '';
  const days = Object.fromEntries(WEEKDAYS.map((day) => [day, day === opens ? ['09:00-17:00'] : []]));
  return { window: { time_zone: 'Europe/London', days } };
}

const dialogOf = (page: Page): Locator => page.getByRole('dialog');
const region = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

async function pressIn(scope: Page | Locator, name: string): Promise<void> {
  await scope.getByRole('button', { name, exact: true }).click();
}

/** Asks, shows the consequence, and does it. */
async function steer(page: Page, button: string, consequence: string | RegExp, confirm: string): Promise<void> {
  await pressIn(page, button);
  await dialogOf(page).getByText(consequence).waitFor();
  await pressIn(dialogOf(page), confirm);
  await dialogOf(page).waitFor({ state: 'hidden' });
}

test('a member starts a campaign, sees what came of each contact, and reads the calls', async () => {
  const account = await stage.account();
  const { page, faults } = await openCampaigns(account, 'member');
  await page.getByText('No campaigns yet').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await createCampaign(account, { budget: 20 }, ['+12025550101', '+12025550103', '+12025550105']);
  await page.reload();
  await page.getByRole('row', { name: 'Autumn recall' }).getByText('Draft').waitFor();
  await page.getByRole('link', { name: 'Autumn recall' }).click();
  await standing(page, 'Draft').waitFor();
  await steer(page, 'Start', 'It begins to call 3 contacts with “Reminder”', 'Start campaign');
  await standing(page, 'Completed').waitFor();
  await region(page, 'Progress').getByText('3 of 3 contacts · 100%').first().waitFor();
  const outcomes = page.getByRole('table', { name: 'Outcomes' });
  for (const words of ['Busy', 'Declined', 'Callee hung up']) await outcomes.getByText(words).waitFor();
  const contacts = page.getByRole('table', { name: 'Contacts' });
  await contacts.getByRole('row', { name: '+1 202 555 0103' }).getByText('Declined').waitFor();
  expect(await page.getByRole('button', { name: 'Cancel campaign' }).count()).toBe(0);
  expect(await accessibilityFaults(page)).toEqual([]);

  const results = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download results' }).click();
  expect((await results).suggestedFilename()).toBe('results.csv');

  await contacts.getByRole('link', { name: 'View call to +1 202 555 0101' }).click();
  await standing(page, 'Busy').waitFor();
  await region(page, 'Details').getByRole('link', { name: 'Autumn recall' }).click();
  await page.getByRole('link', { name: 'View all calls of the campaign' }).click();
  await page.getByRole('button', { name: /^Campaign: Autumn recall/ }).waitFor();
  await expect.poll(() => page.getByRole('table', { name: 'Calls' }).getByRole('row').count()).toBe(1 + 3);
  await page.keyboard.press('g');
  await page.keyboard.press('p');
  await page.getByRole('row', { name: 'Autumn recall' }).getByText('Completed').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole('link', { name: 'Autumn recall' }).click();
  await steer(page, 'Delete', /^Its calls stay, with their recordings and costs/, 'Delete campaign');
  await page.getByText('No campaigns yet').waitFor();
  await page.goto(`/accounts/${account.id}/calls`);
  await expect.poll(() => page.getByRole('table', { name: 'Calls' }).getByRole('row').count()).toBe(1 + 3);
  expect(faults).toEqual([]);
});

test('a campaign says what holds it; it is paused, changed, resumed, given contacts, and canceled', async () => {
  const account = await stage.account();
  const id = await createCampaign(account, closedHours(), ['+12025550101']);
  await post(account, `/${id}/start`, {});
  const { page, faults } = await openCampaigns(account, 'owner');
  const dialog = dialogOf(page);
  await page.getByRole('row', { name: 'Autumn recall' }).getByText('Calling hours').waitFor();
  await page.getByRole('link', { name: 'Autumn recall' }).click();
  await page.getByText('Outside its hours').waitFor();
  await page.getByText(/They open next on/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);

  await steer(page, 'Pause', 'Within a second no more of its calls are dialed.', 'Pause campaign');
  await standing(page, 'Paused').waitFor();
  await pressIn(region(page, 'Settings'), 'Edit settings');
  await dialog.getByLabel('Pace').fill('200');
  await pressIn(dialog, 'Save settings');
  await dialog.getByText('Must be at most 100').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByLabel('Pace').fill('2');
  await dialog.getByLabel('Try again').check();
  await dialog.getByLabel('Calls in all').fill('2');
  await pressIn(dialog, 'Save settings');
  await region(page, 'Settings').getByText('At most 2 calls a second').waitFor();
  await region(page, 'Settings').getByText('Up to 2 calls, after').waitFor();

  await pressIn(page, 'Add numbers');
  await dialog.getByLabel('Numbers').fill('+1 202 555 0101\n+1 202 555 0102');
  await pressIn(dialog, 'Add numbers');
  await dialog.getByText('Required by the agent’s script').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await dialog.getByLabel('name', { exact: true }).fill('Grace');
  await pressIn(dialog, 'Add numbers');
  await region(page, 'Uploads').getByText('1 contact added. 1 was there before, or twice.').waitFor();

  await pressIn(page, 'Add a file');
  await page.locator('input[type=file]').setInputFiles({
    name: 'more.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('phone,name\n+12025550103,Alan\nunknown,Edsger\n'),
  });
  await pressIn(dialog, 'Add file');
  await dialog.getByText('1 contact added. 1 line is no contact, and left out.').waitFor();
  await dialog.getByRole('table', { name: 'Invalid lines' }).getByRole('row', { name: '3 phone: unknown' }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await pressIn(dialog, 'Done');
  await pressIn(page, 'View report of more.csv');
  const errors = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download all errors' }).click();
  expect((await errors).suggestedFilename()).toBe('errors.csv');
  await pressIn(dialog, 'Done');

  await steer(page, 'Resume', 'with 3 contacts to call', 'Resume campaign');
  await standing(page, 'Running').waitFor();
  await pressIn(page, 'Cancel campaign');
  await dialog.getByText('3 contacts are not called any more.').waitFor();
  await dialog.getByLabel('Hang up open calls, too').check();
  expect(await accessibilityFaults(page)).toEqual([]);
  await pressIn(dialog, 'Cancel campaign');
  await standing(page, 'Canceled').waitFor();
  await page.getByRole('table', { name: 'Contacts' }).getByRole('row', { name: '+1 202 555 0103' }).waitFor();
  expect(await page.getByRole('button', { name: 'Add numbers' }).count()).toBe(0);
  const contacts = page.getByRole('table', { name: 'Contacts' });
  const outcome = page.getByRole('combobox', { name: 'Outcome of the contacts' });
  await outcome.click();
  await page.getByRole('option', { name: 'Busy' }).click();
  await page.getByText('No contact has this outcome.').waitFor();
  await page.goto(page.url().replace('busy', 'not_dialled'));
  await contacts.getByText('Not dialed').first().waitFor();
  expect(faults).toEqual([]);
});

test('on a phone a campaign fits the screen, and an unknown one is not found', async () => {
  const account = await stage.account();
  const id = await createCampaign(account, { name: `Autumn-${'N'.repeat(90)}` }, ['+12025550101']);
  const visit = await openCampaigns(account, 'owner', { viewport: PHONE });
  const { page, faults } = visit;
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await page.getByText('Draft').waitFor();
  expect(await width()).toBeLessThanOrEqual(PHONE.width);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.goto(`/accounts/${account.id}/campaigns/${id}`);
  await page.getByRole('table', { name: 'Contacts' }).getByText('Not yet called').waitFor();
  expect(await width()).toBeLessThanOrEqual(PHONE.width);
  expect(await accessibilityFaults(page)).toEqual([]);
  visit.expectStatus(404);
  await page.goto(`/accounts/${account.id}/campaigns/${account.id}`);
  await page.getByText('We could not find this campaign').waitFor();
  expect(faults).toEqual([]);
});
