import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Person, SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
let account: SeededAccount;
let person: Person;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account();
  person = await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] });
});

async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('an unsaved agent survives the end of the session, and is removed at sign-out', async () => {
  const { page, context, faults, signIn } = await stage.visit();
  await signIn(person, `/sign-in?next=${encodeURIComponent(`/accounts/${account.id}/agents/new`)}`);
  await page.getByLabel('Name', { exact: true }).fill('Half an agent');
  await page.getByLabel('First message').fill('Hello, this is only half of what I want to say.');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.waitForURL(/\/sign-in\?next=/);
  await fillSignIn(page);
  await page.getByText('We restored your unsaved draft.').waitFor();
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half an agent');
  await page.getByRole('button', { name: 'Create agent' }).click();
  await page.getByText('Agent “Half an agent” created.').waitFor();
  await page.goto(`/accounts/${account.id}/agents/new`);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');

  await page.getByLabel('Name', { exact: true }).fill('Another');
  await page.getByRole('button', { name: /user menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in$/);
  await fillSignIn(page);
  await page.waitForURL(/\/overview$/);
  await page.goto(`/accounts/${account.id}/agents/new`);
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('');
  expect(faults).toEqual([]);
});

test('a partly filled call form survives Back and Forward until the draft is discarded', async () => {
  const { page, faults, signIn } = await stage.visit();
  await signIn(person);
  await page.getByRole('link', { name: 'Place a call' }).first().click();
  const number = page.getByRole('combobox', { name: 'Number to call' });
  await number.fill('+12025550143');
  await page.goBack();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goForward();
  await page.getByText('We restored your unsaved draft.').waitFor();
  expect(await number.inputValue()).toContain('0143');
  await page.getByRole('button', { name: 'Discard draft' }).click();
  expect(await number.inputValue()).toBe('');
  await page.reload();
  await number.waitFor();
  expect(await number.inputValue()).toBe('');
  expect(faults).toEqual([]);
});

test('leaving with an unsaved note asks for confirmation, and the note survives a reload', async () => {
  const call = await stage.place(account, { toNumber: '+12025550101' });
  await stage.untilEnded(account, call.id);
  const { page, faults, beginSession } = await stage.visit();
  page.on('dialog', (dialog) => void dialog.accept());
  await beginSession(person);
  await page.goto(`/accounts/${account.id}/calls/${call.id}`);
  const note = page.getByRole('textbox', { name: 'Note' });
  await note.fill('Call back on Monday');
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page
    .getByRole('dialog', { name: 'Discard unsaved changes?' })
    .getByRole('button', { name: 'Keep editing' })
    .click();
  await page.reload();
  await note.waitFor();
  expect(await note.inputValue()).toBe('Call back on Monday');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('status').getByText('Saved').waitFor();
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  expect(faults).toEqual([]);
});

test('a request that was not sent survives leaving the page, and is removed once it is sent', async () => {
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(person);
  await page.goto(`/accounts/${account.id}/requests`);
  const request = page.getByLabel('New request');
  await request.fill('We need a number in +44.');
  await page.getByRole('link', { name: 'Agents', exact: true }).click();
  await page.getByRole('heading', { name: 'Agents' }).waitFor();
  await page.goBack();
  await request.waitFor();
  expect(await request.inputValue()).toBe('We need a number in +44.');
  await page.getByRole('button', { name: 'Send request' }).click();
  await page.getByText('1 of 5 open requests').waitFor();
  await page.reload();
  await request.waitFor();
  expect(await request.inputValue()).toBe('');
  expect(faults).toEqual([]);
});

test('a page that cannot load without a connection says so, and loads once there is one', async () => {
  const { page, context, faults, signIn, expectOutage } = await stage.visit();
  await signIn(person);
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.waitForLoadState('networkidle');
  expectOutage();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'Wallet' }).click();
  await page.getByText('Could not load this page').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Could not load this page').waitFor();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Wallet' }).waitFor();
  // React logs the error that its boundary shows.
  expect(faults.filter((fault) => !fault.includes('The code of the page could not be downloaded'))).toEqual([]);
});
