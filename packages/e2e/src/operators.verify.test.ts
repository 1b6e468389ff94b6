import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { breakersOf } from '@outdial/calls';
import { trunkOf } from '@outdial/calls/testing';
import { agentIdSchema, e164Schema } from '@outdial/contracts';
import { openOwnAccount } from '@outdial/persistence';
import { createBreakers } from '@outdial/reservations';
import { Redis } from 'ioredis';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { faultsInStates, follow, press, type PageState } from '../test/page-states.ts';
import type { Person, SeededAccount } from '../test/seeds.ts';
import { openStage, type Stage } from '../test/stage.ts';

const LONG_NAME = `${'Northwind Dental and Orthodontic Surgery of Greater '.repeat(2)}Wx`.slice(0, 100);

let stage: Stage;
let account: SeededAccount;
let operator: Person;
beforeAll(async () => {
  stage = await openStage();
  account = await stage.account({ name: LONG_NAME });
  operator = await stage.person({ name: 'Robin Operator', isOperator: true });
});
afterAll(() => stage.close());

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

test('an operator gives an account a number and credit, adds a trunk, imports rates and disables the account', async () => {
  const { page, faults, beginSession, expectStatus } = await stage.visit();
  const { id, key } = await stage.account({ name: 'Riverside Vets' });
  await beginSession(operator);
  await page.goto('/operations/numbers');

  await button(page, 'Add number').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Number').fill('+1 (202) 555-0177');
  await dialog.getByRole('button', { name: 'Add number' }).click();
  await page.getByText('+1 202 555 0177 added.').waitFor();
  await button(page, 'Assign +12025550177').click();
  await dialog.getByLabel('Account').fill('riverside');
  await page.getByRole('option', { name: 'Riverside Vets' }).click();
  await dialog.getByRole('button', { name: 'Assign' }).click();
  await page.getByText('+1 202 555 0177 assigned to Riverside Vets.').waitFor();

  await page.getByRole('link', { name: 'Accounts', exact: true }).click();
  await page.getByLabel('Search accounts').fill('Riverside');
  await page.getByRole('link', { name: 'Manage Riverside Vets' }).click();
  await page.getByRole('heading', { level: 1, name: 'Riverside Vets' }).waitFor();
  await button(page, 'Unassign +12025550177').waitFor();
  await button(page, 'Top up').click();
  await dialog.getByLabel('Amount (USD)').fill('25.50');
  await dialog.getByRole('button', { name: 'Top up' }).click();
  await page.getByText('Riverside Vets now has a balance of $75.50.').waitFor();
  await page.getByLabel('Concurrent calls').fill('7');
  await button(page, 'Save limits').click();
  await page.getByText('Limits saved.').waitFor();
  expect((await stage.admin.accounts.show(id)).capacity).toBe(7);

  await page.getByRole('link', { name: 'Trunks' }).click();
  await button(page, 'Add trunk').click();
  await dialog.getByLabel('Name', { exact: true }).fill('main');
  await dialog.getByLabel('Address').fill('sip:trunk.example');
  await dialog.getByLabel('Username').fill('alice');
  await dialog.getByLabel('Password', { exact: true }).fill('a secret of the carrier');
  await dialog.getByRole('button', { name: 'Add trunk' }).click();
  await page.getByText('Trunk main added.').waitFor();
  await page.getByText('sip:trunk.example over UDP, as alice').waitFor();
  await button(page, 'Test main').click();
  await page.getByText('Waiting for a worker').waitFor();

  await page.getByRole('link', { name: 'Rates' }).click();
  await button(page, 'Import rates').click();
  const csv = await readFile('apps/cli/demo/rates.csv', 'utf8');
  expectStatus(422);
  const importFile = async (text: string) => {
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await dialog.getByRole('button', { name: 'Import rates' }).click();
  };
  await importFile(`${csv}999,Nowhere,free,0.01,60/60\n`);
  await dialog.getByText('connection_fee "free" must be a decimal').waitFor();
  await importFile(csv);
  await page.getByText(/^Imported \d+ rates in USD/).waitFor();
  await page.getByLabel('Search rates').fill('+447911');
  await page.getByRole('cell', { name: '44', exact: true }).waitFor();

  await page.goto(`/operations/accounts/${id}`);
  await button(page, 'Disable account').click();
  await dialog.getByRole('button', { name: 'Disable account' }).click();
  await page.getByText('Riverside Vets disabled.').waitFor();
  await expect
    .poll(async () => (await fetch(`${stage.url}/api/v1/account`, { headers: { 'X-API-Key': key } })).status)
    .toBe(401);

  await page.goto('/operations/audit');
  await page.getByText('Account disabled').first().waitFor();
  // An action without a text would show its name, such as `rates.import`.
  expect(
    await page
      .getByRole('cell')
      .filter({ hasText: /^[a-z]+\.[a-z_]+$/ })
      .allTextContents(),
  ).toEqual([]);
  expect(faults).toEqual([]);
});

test('a request of an owner reaches the operators, who mark it done, and the owner sees that', async () => {
  const [owner, desk] = [await stage.visit(), await stage.visit()];
  await owner.beginSession(await stage.person({ memberships: [{ accountId: account.id, role: 'owner' }] }));
  await owner.page.goto(`/accounts/${account.id}/requests`);
  await owner.page.getByText(account.id).waitFor();
  await owner.page.getByLabel('New request').fill('We need a number in +44.');
  await button(owner.page, 'Send request').click();
  await owner.page.getByText('1 of 5 open requests').waitFor();

  await desk.beginSession(operator);
  await desk.page.goto('/operations');
  await desk.page.getByLabel('1 open').waitFor();
  await desk.page.getByRole('link', { name: /Account requests/ }).click();
  await button(desk.page, 'Mark as done: We need a number in +44.').click();
  await desk.page.getByText('No open requests').waitFor();
  await owner.page.reload();
  await owner.page.getByText('0 of 5 open requests').waitFor();
  expect([...owner.faults, ...desk.faults]).toEqual([]);
});

test('an operator makes a user an operator, disables one, and cannot lock themselves out', async () => {
  const kim = await stage.person({ name: 'Kim Aquino' });
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(operator);
  await page.goto('/operations/users');
  await button(page, `Make operator: ${kim.email}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make operator' }).click();
  await page.getByText(`${kim.email} is now an operator.`).waitFor();
  await button(page, `Disable: ${kim.email}`).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable user' }).click();
  await page.getByText(`${kim.email} disabled.`).waitFor();
  expect(await button(page, `Disable: ${operator.email}`).count()).toBe(0);
  expect(await button(page, `Remove operator: ${operator.email}`).count()).toBe(0);
  expect(faults).toEqual([]);
});

/** A credential of the operator's whose key the provider rejects, and one of whose models a breaker holds calls back. */
async function seedTroubledProviders(voices: string, production: string) {
  const operators = stage.admin.credentialsOf(null);
  const { secretKey } = stage;
  const common = { apiKey: 'sk-0123456789-0123456789', baseUrl: null, region: null, secretKey };
  const rejected = await operators.create({ provider: 'cartesia', name: voices, ...common });
  await operators.recordCheck(rejected, 'rejected');
  const { id: credentialId } = await operators.create({ provider: 'openai', name: production, ...common });
  const redis = new Redis(stage.redisUrl);
  onTestFinished(() => redis.disconnect());
  const { model, account: ofAccount } = breakersOf(
    { provider: 'openai', component: 'realtime', model: 'gpt-realtime', credentialId, isOwn: false },
    { accountId: account.id, agentId: agentIdSchema.parse(randomUUID()), agentVersion: 1 },
  );
  const breakers = createBreakers({ redis });
  const open = { kind: 'open', forMs: 120_000, isChecked: true } as const;
  await breakers.change(model, 0, { ...open, owner: null });
  if (ofAccount) await breakers.change(ofAccount, 0, { ...open, owner: account.id });
  return { rejected, breakers, model };
}

test('an operator sees which providers hold calls back, until when and why, and what to run', async () => {
  const { rejected, breakers, model } = await seedTroubledProviders('voices', 'production');
  const { page, faults, beginSession } = await stage.visit();
  await beginSession(operator);
  await page.goto('/operations');
  await page.getByText('voices: key rejected; production: gpt-realtime.').waitFor();
  await page.getByRole('link', { name: 'View providers' }).click();
  await page.getByRole('heading', { level: 1, name: 'Providers' }).waitFor();

  const rowOf = (name: string) =>
    page.getByRole('table', { name: 'Credentials' }).getByRole('row').filter({ hasText: name });
  await rowOf('voices').getByText('Key rejected').waitFor();
  await rowOf('voices').getByText('Closed', { exact: true }).waitFor();
  expect(await rowOf('voices').getByRole('button', { name: 'Copy rotate command: voices' }).getAttribute('title')).toBe(
    `npm run admin -- credentials rotate ${rejected.id} --from-env NEW_KEY`,
  );
  await rowOf('production')
    .getByText(/^Open until \d\d:\d\d:\d\d$/)
    .waitFor();
  await rowOf('production').getByText('Calls failed: no connection, a timeout, or an answer 5xx or 429.').waitFor();
  const ofAccount = page.getByRole('table', { name: 'Breakers of accounts' });
  await ofAccount.getByText('Calls of this account alone').waitFor();

  // The page follows: no reload.
  await breakers.change(model, 1, { kind: 'close' });
  await rowOf('production').getByText('All closed').waitFor();
  expect(faults).toEqual([]);
});

const PAGES: readonly PageState[] = [
  { path: '/operations/accounts', words: LONG_NAME },
  { path: '/operations/numbers', words: 'Make system default' },
  { path: '/operations/numbers', words: 'assign the number later', act: press('Add number') },
  { path: '/operations/trunks', words: 'sip:spare.example' },
  { path: '/operations/trunks', words: 'Send P-Asserted-Identity', act: press('Add trunk') },
  { path: '/operations/providers', words: 'Breakers of accounts' },
  { path: '/operations/rates', words: 'per minute' },
  { path: '/operations/rates', words: 'It replaces all rates', act: press('Import rates') },
  { path: '/operations/users', words: 'Robin Operator' },
  { path: '/operations/requests', words: 'Please give us credit' },
];

test('operator pages have no accessibility violations, and at 390 px every action is visible', async () => {
  await stage.admin.numbers.add({ accountId: null, e164: e164Schema.parse('+12025550188') });
  await seedTroubledProviders('more voices', LONG_NAME);
  const trunk = trunkOf({ name: 'spare', uri: 'sip:spare.example' });
  await stage.admin.trunks.add({ ...trunk, credentials: null });
  await stage.admin.trunkTests.request(trunk.name);
  const own = openOwnAccount(stage.database, {
    accountId: account.id,
    actor: 'test',
    bounds: { apiKeys: 100, agents: 100, credentials: 10, secrets: 10 },
  });
  await own.requests.create(`Please give us credit. ${'W'.repeat(150)}`);
  const [wide, narrow] = [await stage.visit(), await stage.visit({ viewport: { width: 390, height: 844 } })];
  // A busy machine may answer 503, and the pages retry.
  for (const { expectStatus } of [wide, narrow]) expectStatus(503);
  await wide.beginSession(operator);
  const pages = [...PAGES, { path: `/operations/accounts/${account.id}`, words: 'Save limits' }];
  expect(await faultsInStates(wide, [...pages, { path: '/operations', words: 'Dialing is on' }])).toEqual([]);

  await narrow.beginSession(operator);
  await narrow.page.goto('/operations');
  await narrow.page.getByText('Dialing is on').first().waitFor();
  for (const { path, words } of pages.filter(({ act }) => act === undefined)) {
    await follow(narrow.page, path);
    // The closed menu has names too, and they stay hidden.
    await narrow.page.locator('main').getByText(words).first().waitFor();
    expect([path, ...(await outOfSight(narrow.page))]).toEqual([path]);
  }
  expect(narrow.faults).toEqual([]);
});

/** The names of the page's buttons and links that extend beyond its sides. */
function outOfSight(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main button, main a, main input')]
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < 0 || right > window.innerWidth);
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? ''),
  );
}
