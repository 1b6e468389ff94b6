import { callIdSchema, ledgerPageSchema, spendSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDesk, type Desk } from '../../../test/desk.ts';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
let member: Desk;
const callIds: string[] = [];
beforeAll(async () => {
  api = await openApi();
  account = await api.account({ balance: '5.00', capacity: 20 });
  member = await openDesk(api, account.id, 'member');
  for (let count = 0; count < 5; count += 1) {
    const answer = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
    const id = callIdSchema.parse(answer.call().id);
    await driveCall(api.database, id, { talkMs: (count + 1) * 30_000 });
    callIds.push(id);
  }
});
afterAll(() => api.close());

const ledger = async (query = '') =>
  ledgerPageSchema.parse((await member.request('GET', `account/ledger${query}`)).json);

it('200: credits and charges, newest first, in pages', async () => {
  const whole = await ledger();
  expect(whole.next_cursor).toBeNull();
  expect(whole.entries.map(({ call_id }) => call_id)).toEqual([...callIds.toReversed(), null]);
  expect(whole.entries[0]).toEqual({
    id: expect.any(String),
    kind: 'call_charge',
    amount: -0.024,
    balance_after: 4.904,
    to_number: account.newCall.to_number,
    agent_name: null,
    billable_seconds: expect.any(Number),
    call_id: callIds[4],
    created_at: expect.any(String),
  });
  expect(whole.entries.at(-1)).toMatchObject({ kind: 'top_up', amount: 5 });
  const pages = [];
  for (let query = '?limit=4'; ;) {
    const page = await ledger(query);
    pages.push(page.entries);
    if (page.next_cursor === null) break;
    query = `?limit=4&cursor=${page.next_cursor}`;
  }
  expect(pages.map(({ length }) => length)).toEqual([4, 2]);
  expect(pages.flat()).toEqual(whole.entries);
  const balances = whole.entries.map(({ balance_after: balance }) => balance);
  for (const [at, { amount }] of whole.entries.entries()) {
    expect((balances[at] ?? NaN) - amount).toBeCloseTo(balances[at + 1] ?? 0, 6);
  }
});

it('200: spending by day, equal to the ledger', async () => {
  const spend = spendSchema.parse((await member.request('GET', 'spend')).json);
  expect([spend.currency, spend.days.length]).toEqual(['USD', 30]);
  const { entries } = await ledger();
  const charged = entries.filter(({ kind }) => kind === 'call_charge').reduce((sum, { amount }) => sum - amount, 0);
  // Midnight may have passed between the first call and the last.
  expect(spend.days.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(charged, 6);
  expect(spend.days.reduce((sum, { calls }) => sum + calls, 0)).toBe(5);
});

it.each(['limit=0', 'limit=101', 'cursor=x', 'cursor=-1', 'cursor=12', 'after=1', 'limit=1&limit=2'])(
  '400 names %s',
  async (query) => {
    const answer = await member.request('GET', `account/ledger?${query}`);
    expect([answer.status, answer.error().param]).toEqual([400, query.split('=')[0]]);
  },
);

it('another account’s cursor returns only this account’s entries', async () => {
  const other = await api.account();
  const [entry] = await api.admin.wallets.ledger({ accountId: other.id, limit: 1 });
  const before = await ledger(`?cursor=${BigInt(entry?.id ?? '0') + 1n}.0`);
  expect(before.entries.map(({ id }) => id)).toEqual((await ledger()).entries.map(({ id }) => id));
});
