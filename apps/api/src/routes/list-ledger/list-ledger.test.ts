import { callIdSchema, ledgerPageSchema } from '@outdial/contracts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
  account = await api.account({ balance: '5.00' });
});
afterAll(() => api.close());

const ledger = async (query = '', key = account.key) =>
  ledgerPageSchema.parse((await api.request('GET', `/account/ledger${query}`, { key })).json);

async function place(): Promise<void> {
  const answer = await api.request('POST', '/outbound/calls', { key: account.key, json: account.newCall });
  await driveCall(api.database, callIdSchema.parse(answer.call().id));
}

it('200: a page goes on where the one before ended, whatever is booked in between', async () => {
  await place();
  await place();
  const first = await ledger('?limit=1');
  expect([first.entries[0]?.kind, first.has_more]).toEqual(['call_charge', true]);
  await place();
  const second = await ledger(`?limit=1&cursor=${first.next_cursor}`);
  const last = await ledger(`?cursor=${second.next_cursor}`);
  expect([last.has_more, last.next_cursor, last.entries.map(({ kind }) => kind)]).toEqual([false, null, ['top_up']]);
  const whole = await ledger();
  expect([...first.entries, ...second.entries, ...last.entries]).toEqual(whole.entries.slice(1));
});

it('400 names the cursor or the limit', async () => {
  for (const query of ['cursor=x', 'cursor=-1.0', 'limit=0', 'limit=101', 'before=1.0']) {
    const answer = await api.request('GET', `/account/ledger?${query}`, { key: account.key });
    expect([answer.status, answer.error().param]).toEqual([400, query.split('=')[0]]);
  }
});

it('200: another account’s cursor shows only this account’s entries; 401 without a key', async () => {
  const other = await api.account();
  const theirs = await ledger('', other.key);
  const newest = BigInt(theirs.entries[0]?.id ?? '0') + 1n;
  expect((await ledger(`?cursor=${newest}.0`)).entries.map(({ id }) => id)).toEqual(
    (await ledger()).entries.map(({ id }) => id),
  );
  expect((await api.request('GET', '/account/ledger')).status).toBe(401);
});
