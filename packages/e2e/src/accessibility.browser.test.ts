import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SeededAccount } from '../test/seeds.ts';
import { openStage, type Stage } from '../test/stage.ts';
import { faultsInStates, press } from '../test/page-states.ts';

const NUMBERS = ['0100', '0101', '0103', '0104', '0106', '0109', '0111'].map((digits) => `+1202555${digits}`);

let stage: Stage;
let account: SeededAccount;
let talkId: string;
beforeAll(async () => {
  stage = await openStage({ speed: 20 });
  account = await stage.account();
  const calls = await Promise.all(
    NUMBERS.map((toNumber) => stage.place(account, { toNumber, metadata: { order: 7 } })),
  );
  await Promise.all(calls.map(({ id }) => stage.untilEnded(account, id)));
  talkId = calls[0]?.id ?? '';
});
afterAll(() => stage.close());

test('whoever cannot see well finds nothing in the way before the sign-in', async () => {
  const visit = await stage.visit();
  const found = await faultsInStates(visit, [
    { path: '/sign-in', words: 'Forgot your password?' },
    { path: '/sign-in', words: 'must be an e-mail address', act: press('Sign in') },
    { path: '/sign-in?notice=password-changed', words: 'Sign in with the new one' },
    { path: '/sign-up', words: 'must not be empty', act: press('Sign up') },
    { path: '/forgot-password', words: 'Send the link' },
    { path: '/reset-password', words: 'The link is not complete' },
    { path: '/reset-password#token=abc', words: 'At least 10 characters' },
    { path: '/invitation#token=abc', words: 'I am new here' },
  ]);
  expect(found).toEqual([]);
});

test('nor on the pages of an account, filled and empty', async () => {
  const home = `/accounts/${account.id}`;
  const visit = await stage.visit();
  visit.expectStatus(404);
  await visit.signIn(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  const found = await faultsInStates(
    visit,
    [
      { path: `${home}/calls`, words: 'Completed' },
      { path: `${home}/calls?status=queued`, words: 'No call matches' },
      { path: `${home}/calls/${talkId}`, words: 'Hello Ada' },
      { path: `${home}/calls/${account.id}`, words: 'There is no such call' },
      { path: `${home}/calls/new`, words: 'At hand' },
      { path: `${home}/agents`, words: 'Reminder' },
      { path: `${home}/agents/${account.agentId}`, words: 'Farewell' },
      { path: `${home}/numbers`, words: 'Default' },
      { path: `${home}/wallet`, words: 'Available' },
      { path: `${home}/api-keys`, words: 'Using a key' },
      { path: `${home}/members`, words: 'Sam Rivera' },
      { path: '/profile', words: 'Sign out everywhere' },
      { path: '/operations', words: 'For operators' },
      { path: '/accounts/none/calls', words: 'There is nothing here' },
    ].map((state) => state),
  );
  expect(found).toEqual([]);
});

test('nor in its dialogs, menus and refusals', async () => {
  const home = `/accounts/${account.id}`;
  const visit = await stage.visit();
  visit.expectStatus(400);
  await visit.signIn(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }], isOperator: true }));
  const found = await faultsInStates(visit, [
    { path: `${home}/calls`, words: 'Keyboard shortcuts', act: (page) => page.keyboard.press('?') },
    { path: `${home}/calls`, words: 'API reference', act: press(/profile and sign-out/) },
    { path: `${home}/calls/${talkId}`, words: '"transcript"', act: press('Show as JSON') },
    { path: `${home}/calls/new`, words: 'The agent says this: fill it in', act: press('Place the call') },
    { path: `${home}/agents/new`, words: 'must not be empty', act: press('Create agent') },
    { path: `${home}/api-keys`, words: 'Where the key is used', act: press('Create key') },
    { path: `${home}/api-keys`, words: 'Copy it now', act: createKey },
    { path: `${home}/api-keys`, words: 'That cannot be undone', act: press('Revoke') },
    { path: `${home}/members`, words: 'Members place calls', act: press('Invite') },
    { path: `${home}/members`, words: 'Leave this account?', act: press('Leave') },
    { path: '/profile', words: 'has to sign in again', act: press('Sign out everywhere') },
    { path: '/profile', words: 'must have at least', act: press('Change password') },
    { path: '/operations', words: 'Dialling is on' },
    { path: '/operations', words: 'Pause dialling for all accounts?', act: press('Pause dialling') },
    { path: '/operations', words: 'cannot be taken back here', act: press('Top up Northwind Dental') },
  ]);
  expect(found).toEqual([]);
});

async function createKey(page: Page): Promise<void> {
  await press('Create key')(page);
  await page.getByRole('dialog').getByLabel('Name').fill('staging');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
}

test('nor while a page waits for its data, or did not get it', async () => {
  const home = `/accounts/${account.id}`;
  const visit = await stage.visit();
  visit.expectStatus(500);
  await visit.signIn(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }], isOperator: true }));
  const refusal = { error: { code: 'internal_error', message: 'Something broke.', request_id: 'abc' } };
  const fails = (page: Page) =>
    page.route('**/api/dashboard/accounts/**', (route) => route.fulfill({ status: 500, json: refusal }));
  await fails(visit.page);
  const failed = await faultsInStates(visit, [
    { path: `${home}/calls`, words: 'Could not load the calls' },
    { path: `${home}/calls/${talkId}`, words: 'Could not load the call' },
    { path: `${home}/calls/new`, words: 'Could not load the form' },
    { path: `${home}/wallet`, words: 'Something broke.' },
    { path: `${home}/api-keys`, words: 'Could not load the API keys' },
  ]);
  expect(failed).toEqual([]);
});
