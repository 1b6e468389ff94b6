import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { SeededAccount } from '../test/seeds.ts';
import { withStage } from '../test/shared-stage.ts';
import type { Stage } from '../test/stage.ts';

let stage: Stage;
let own: SeededAccount;
let foreign: SeededAccount;
withStage.beforeAll(async ({ sharedStage }) => {
  stage = sharedStage;
  own = await stage.account({ name: 'Northwind Dental' });
  foreign = await stage.account({ name: 'Harbour Clinics' });
});

const PAGES = ['overview', 'calls', 'calls/new', 'agents', 'agents/new', 'numbers', 'wallet', 'api-keys', 'members'];
const ROUTES = [
  'account',
  'calls',
  'outbound/calls',
  'changes',
  'agents',
  'phone-numbers',
  'members',
  'api-keys',
  'calls.csv',
];

/** The API's answers to the page's session. */
async function statusesOf(page: Page, paths: readonly string[]): Promise<readonly (readonly [string, number])[]> {
  return Promise.all(
    paths.map(async (path) => [path, (await page.request.get(`/api/dashboard/${path}`)).status()] as const),
  );
}

test('neither members nor owners of an account can open Operations', async () => {
  const memberships = [{ accountId: own.id, role: 'owner' as const }];
  const { page, faults, signIn } = await stage.visit();
  await signIn(await stage.person({ memberships }));
  await page.getByRole('link', { name: 'Wallet' }).waitFor();
  expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
  await page.goto('/operations');
  await page.getByText('Only operators can view this page').waitFor();
  const paths = ['operations', 'operations/accounts', 'operations/queues/'];
  expect(await statusesOf(page, paths)).toEqual(paths.map((path) => [path, 403]));
  expect(faults).toEqual([]);
});

test('a link that is followed while the first page after sign-in loads is not overridden', async () => {
  const { page, faults } = await stage.visit();
  const { email, password } = await stage.person({ memberships: [{ accountId: own.id, role: 'owner' }] });
  const held: (() => Promise<void>)[] = [];
  await page.route(/\/overview-page-[^/]*\.js$/, (route) => void held.push(() => route.continue()));
  // The layout takes longer than the router waits before it shows that a page is loading.
  await page.route(/\/first-page-[^/]*\.js$/, async (route) => {
    await sleep(1_000);
    await route.continue();
  });
  await page.goto('/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: 'Wallet' }).click();
  expect(held).not.toEqual([]);
  for (const release of held) await release();
  await page.getByRole('heading', { name: 'Wallet' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(new URL(page.url()).pathname).toBe(`/accounts/${own.id}/wallet`);
  expect(faults).toEqual([]);
});

test('the pages and routes of another account answer as not found', async () => {
  const visit = await stage.visit();
  const { page, faults } = visit;
  await visit.beginSession(await stage.person({ memberships: [{ accountId: own.id, role: 'owner' }] }));
  for (const path of PAGES) {
    await page.goto(`/accounts/${foreign.id}/${path}`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  }
  visit.expectStatus(404);
  await page.goto(`/accounts/${own.id}/agents/${foreign.agentId}`);
  await page.getByText('We could not find this agent').waitFor();
  const paths = ROUTES.map((path) => `accounts/${foreign.id}/${path}`);
  expect(await statusesOf(page, paths)).toEqual(paths.map((path) => [path, 404]));
  expect(faults).toEqual([]);
});

test('an owner who leaves an account gets a confirmation and sees the remaining accounts', async () => {
  const left = await stage.account({ name: 'Riverside Vets' });
  // An account must keep an owner.
  await stage.person({ memberships: [{ accountId: left.id, role: 'owner' }] });
  const { page, faults, beginSession } = await stage.visit();
  const memberships = [left, own].map(({ id }) => ({ accountId: id, role: 'owner' as const }));
  await beginSession(await stage.person({ name: 'Kim Aquino', memberships }));
  await page.goto(`/accounts/${left.id}/members`);
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave account' }).click();
  await page.getByText('You left the account.').waitFor();
  await page.getByRole('heading', { name: 'Profile' }).waitFor();
  await page.getByRole('button', { name: /^Account: Northwind Dental/ }).waitFor();
  expect(await page.getByText('Riverside Vets').count()).toBe(0);
  expect(faults).toEqual([]);
});

test('a member who is removed from an account while its page is open sees that it is not found, and can continue', async () => {
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  // The page's requests for the account once it is no longer theirs.
  expectStatus(404);
  const memberships = [foreign, own].map(({ id }) => ({ accountId: id, role: 'member' as const }));
  const person = await stage.person({ memberships });
  await beginSession(person);
  await page.goto(`/accounts/${foreign.id}/numbers`);
  await page.getByRole('heading', { name: 'Numbers' }).waitFor();
  await stage.database.side.$executeRaw`
    DELETE FROM memberships m USING users u
    WHERE u.id = m.user_id AND u.email = ${person.email} AND m.account_id = ${foreign.id}::uuid`;
  // A process may cache a session for at most a second.
  await sleep(1_000);
  // The user looks at another window for a while, and comes back: the page checks the session again.
  await page.evaluate(() => {
    const now = Date.now.bind(Date);
    Date.now = () => now() + 600_000;
    window.dispatchEvent(new Event('visibilitychange'));
  });
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to overview' }).click();
  await page.getByRole('button', { name: /^Account: Northwind Dental/ }).waitFor();
  await page.getByRole('heading', { name: 'Overview', exact: true }).waitFor();
  expect(faults).toEqual([]);
});

test('signing out everywhere sends the other browser to the sign-in page', async () => {
  const person = await stage.person({ memberships: [{ accountId: own.id, role: 'member' }] });
  const [here, there] = [await stage.visit(), await stage.visit()];
  await there.signIn(person, `/accounts/${own.id}/calls`);
  await there.page.getByText('Live', { exact: true }).waitFor();
  await here.beginSession(person);
  await here.page.goto('/profile');
  await here.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await here.page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await here.page.waitForURL('**/sign-in');
  // The other browser is not touched.
  await there.page.waitForURL((url) => url.pathname === '/sign-in');
  expect([...here.faults, ...there.faults]).toEqual([]);
});

test('a new password replaces the old one and ends the sessions of other browsers', async () => {
  const person = await stage.person({ memberships: [{ accountId: own.id, role: 'member' }] });
  const [here, there] = [await stage.visit(), await stage.visit()];
  await there.signIn(person);
  await here.beginSession(person);
  await here.page.goto('/profile');
  await here.page.getByLabel('Current password').fill(person.password);
  await here.page.getByLabel('New password').fill('another long password');
  await here.page.getByRole('button', { name: 'Change password' }).click();
  await here.page.getByText('Password changed').waitFor();
  // A process may cache a session for at most a second.
  await sleep(1_000);
  expect((await there.page.request.get('/api/dashboard/session')).status()).toBe(401);
  expect((await here.page.request.get('/api/dashboard/session')).status()).toBe(200);

  const next = await stage.visit();
  await next.goto('/sign-in');
  await next.page.getByLabel('E-mail').fill(person.email);
  await next.page.getByLabel('Password', { exact: true }).fill(person.password);
  await next.page.getByRole('button', { name: 'Sign in' }).click();
  await next.page.getByText('Could not sign in').waitFor();
  await next.signIn({ ...person, password: 'another long password' });
  expect([...here.faults, ...there.faults, ...next.faults]).toEqual([]);
});

test('an invited user joins the account through the link, once', async () => {
  const [owner, guest] = [await stage.visit(), await stage.visit()];
  await owner.beginSession(await stage.person({ memberships: [{ accountId: own.id, role: 'owner' }] }));
  await owner.page.goto(`/accounts/${own.id}/members`);
  await owner.page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill('grace@example.com');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  const link = (await dialog.getByText('/invitation#token=').textContent()) ?? '';

  await guest.page.goto(link);
  await guest.page.getByText(/invited grace@example.com to join Northwind Dental/).waitFor();
  await guest.page.getByRole('link', { name: 'Create an account' }).click();
  await guest.page.getByLabel('Your name').fill('Grace Okafor');
  expect(await guest.page.getByLabel('E-mail').inputValue()).toBe('grace@example.com');
  await guest.page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await guest.page.getByRole('button', { name: 'Sign up' }).click();
  await guest.page.getByRole('button', { name: /Northwind Dental/ }).waitFor();
  expect(new URL(guest.page.url()).pathname).toBe(`/accounts/${own.id}/overview`);

  const late = await stage.visit();
  await late.signIn(await stage.person());
  late.expectStatus(400);
  late.expectStatus(404);
  late.expectStatus(410);
  await late.page.goto(link);
  await late.page.getByText('This invitation is not valid').waitFor();
  expect([...owner.faults, ...guest.faults, ...late.faults]).toEqual([]);
});
