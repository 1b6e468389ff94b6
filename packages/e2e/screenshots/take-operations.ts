import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { trunkOf } from '@outdial/calls/testing';
import { e164Schema } from '@outdial/contracts';
import { openOwnAccount } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SeededAccount } from '../test/seeds.ts';
import { openStage, type Stage } from '../test/stage.ts';
import { FOLDER, LOOKS, takeOff } from './looks.ts';

const BOUNDS = { apiKeys: 100, agents: 100, credentials: 10, secrets: 10 };

let stage: Stage;
let account: SeededAccount;
beforeAll(async () => {
  await mkdir(FOLDER, { recursive: true });
  stage = await openStage();
  account = await stage.account({ name: 'Northwind Dental' });
  // As `npm start` creates it.
  await stage.admin.numbers.add({ accountId: null, e164: e164Schema.parse('+12025550198'), isDefault: true });
});
afterAll(() => stage.close());

test('the first steps of a new user are pictured in every look', async () => {
  for (const { name, ...look } of LOOKS) {
    const { page, faults } = await stage.visit(look);
    await page.goto('/sign-up');
    await page.getByLabel('Your name').fill('Grace Okafor');
    await page.getByLabel('E-mail').fill(`${randomUUID()}@example.com`);
    await page.getByLabel('Password', { exact: true }).fill('a long enough password');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('2 of 5 steps completed').waitFor();
    await takeOff(page);
    await page.screenshot({ path: join(FOLDER, `first-steps-${name}.png`), fullPage: true });
    expect(faults).toEqual([]);
  }
});

test('the pages of operators are pictured in every look', async () => {
  await stage.account({ name: 'Riverside Vets' });
  await stage.admin.numbers.add({ accountId: null, e164: e164Schema.parse('+12025550188') });
  await stage.admin.trunks.add({ ...trunkOf({ name: 'main', uri: 'sip:trunk.example' }), credentials: null });
  const own = openOwnAccount(stage.database, { accountId: account.id, actor: 'test', bounds: BOUNDS });
  await own.requests.create('Please give us a number in +44.');
  const operator = await stage.person({ name: 'Robin Operator', isOperator: true });
  const pages = [
    { picture: 'operations', path: '/operations', words: 'Dialing is on' },
    { picture: 'accounts', path: '/operations/accounts', words: 'Riverside Vets' },
    { picture: 'account', path: `/operations/accounts/${account.id}`, words: 'Save limits' },
    { picture: 'numbers', path: '/operations/numbers', words: 'Make system default' },
    { picture: 'trunks', path: '/operations/trunks', words: 'sip:trunk.example' },
    { picture: 'rates', path: '/operations/rates', words: 'per minute' },
    { picture: 'users', path: '/operations/users', words: 'Robin Operator' },
    { picture: 'requests', path: '/operations/requests', words: 'Please give us a number' },
  ];
  for (const { name, ...look } of LOOKS) {
    const { page, faults, beginSession } = await stage.visit(look);
    await beginSession(operator);
    for (const { picture, path, words } of pages) {
      await page.goto(path);
      // A closed menu has names too, which stay hidden.
      await page.locator('main').getByText(words).first().waitFor();
      await takeOff(page);
      await page.screenshot({ path: join(FOLDER, `operators-${picture}-${name}.png`), fullPage: true });
    }
    expect(faults).toEqual([]);
  }
});
