import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';
import { faultsInStates, press } from '../test/page-states.ts';

let stage: Stage;
let account: SeededAccount;
let talkId: string;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  account = await stage.account();
  const call = await stage.place(account, { toNumber: '+12025550100', metadata: { order: 7 } });
  talkId = (await stage.untilEnded(account, call.id)).id;
});

test('the other states of the pages before the sign-in have no accessibility violations', async () => {
  const found = await faultsInStates(await stage.visit(), [
    { path: '/sign-in', words: 'must be an e-mail address', act: press('Sign in') },
    { path: '/sign-in?notice=password-changed', words: 'Sign in with your new password' },
    { path: '/reset-password', words: 'This link is incomplete' },
  ]);
  expect(found).toEqual([]);
});

test('dialogs, menus and error states have no accessibility violations', async () => {
  const home = `/accounts/${account.id}`;
  const visit = await stage.visit();
  visit.expectStatus(400);
  await visit.beginSession(
    await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }], isOperator: true }),
  );
  const found = await faultsInStates(visit, [
    { path: `${home}/calls`, words: 'Keyboard shortcuts', act: (page) => page.keyboard.press('?') },
    { path: `${home}/calls`, words: 'API reference', act: press(/user menu/) },
    { path: `${home}/calls?search=xyz`, words: 'No calls match your filters' },
    { path: `${home}/calls?status=queued`, words: 'No calls match your filters' },
    { path: `${home}/calls/${talkId}`, words: '"transcript"', act: press('Show JSON') },
    { path: `${home}/calls/new`, words: 'Required by the agent’s script', act: press('Place call') },
    { path: `${home}/agents/new`, words: 'must not be empty', act: emptyAgent },
    { path: `${home}/agents/new?driver=cascade`, words: 'Say while it runs', act: addHttpTool },
    { path: `${home}/api-keys`, words: 'Where you use the key', act: press('Create API key') },
    { path: `${home}/api-keys`, words: 'Copy your API key now', act: createKey },
    { path: `${home}/api-keys`, words: 'You cannot undo this', act: press('Revoke') },
    { path: `${home}/members`, words: 'Members place calls', act: press('Invite member') },
    { path: `${home}/members`, words: 'It works once', act: invite },
    { path: `${home}/members`, words: 'Leave this account?', act: press('Leave') },
    { path: '/profile', words: 'ends your sessions in all browsers', act: press('Sign out everywhere') },
    { path: '/profile', words: 'must have at least', act: press('Change password') },
    { path: '/operations', words: 'Pause dialing for all accounts?', act: press('Pause dialing') },
    { path: `/operations/accounts/${account.id}`, words: 'cannot undo a top-up here', act: press('Top up') },
  ]);
  expect(found).toEqual([]);
});

async function invite(page: Page): Promise<void> {
  await press('Invite member')(page);
  await page.getByRole('dialog').getByLabel('E-mail').fill('grace@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Send invitation' }).click();
}

async function emptyAgent(page: Page): Promise<void> {
  await page.getByLabel('First message').fill('Hello.');
  await page.getByLabel('First message').fill('');
}

async function addHttpTool(page: Page): Promise<void> {
  await page.getByRole('switch', { name: 'Analyze calls' }).click();
  await page.getByRole('button', { name: 'Add knowledge' }).click();
  await page.getByRole('button', { name: 'Add tool' }).click();
  await page.getByRole('menuitem', { name: 'HTTP request' }).click();
  await page.getByRole('button', { name: 'Add header' }).click();
}

async function createKey(page: Page): Promise<void> {
  await press('Create API key')(page);
  await page.getByRole('dialog').getByLabel('Name').fill('staging');
  await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
}

test('the pages of an empty account have no accessibility violations', async () => {
  const { id } = await stage.admin.accounts.create({ name: 'Harbour Clinics', currency: 'USD', capacity: 10 });
  const visit = await stage.visit();
  await visit.beginSession(await stage.person({ memberships: [{ accountId: id, role: 'owner' }] }));
  const found = await faultsInStates(visit, [
    { path: `/accounts/${id}/calls`, words: 'No calls yet' },
    { path: `/accounts/${id}/calls/new`, words: 'agent' },
    { path: `/accounts/${id}/agents`, words: 'No agents yet' },
    { path: `/accounts/${id}/numbers`, words: 'number' },
    { path: `/accounts/${id}/wallet`, words: 'Available' },
    { path: `/accounts/${id}/api-keys`, words: 'No API keys yet' },
  ]);
  expect(found).toEqual([]);
});

test('pages without their data have no accessibility violations', async () => {
  const home = `/accounts/${account.id}`;
  const visit = await stage.visit();
  visit.expectStatus(500);
  await visit.beginSession(
    await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }], isOperator: true }),
  );
  const refusal = { error: { code: 'internal_error', message: 'Something broke.', request_id: 'abc' } };
  const fails = (page: Page) =>
    page.route('**/api/dashboard/accounts/**', (route) => route.fulfill({ status: 500, json: refusal }));
  await fails(visit.page);
  const failed = await faultsInStates(visit, [
    { path: `${home}/calls`, words: 'Could not load calls' },
    { path: `${home}/calls/${talkId}`, words: 'Could not load the call' },
    { path: `${home}/calls/new`, words: 'Could not load the form' },
    { path: `${home}/wallet`, words: 'Something broke.' },
    { path: `${home}/api-keys`, words: 'Could not load API keys' },
  ]);
  expect(failed).toEqual([]);
});
