import { micros, type AccountId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertEndedCalls } from '../../test/many-calls.ts';
import { createWorld, settlementOf, type Party, type World } from '../../test/world.ts';
import { openOwnAccount } from './own-account.ts';
import { spendStatement, type DayOfSpend } from './spend.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const spendOf = (accountId: AccountId) =>
  openOwnAccount(world.database, {
    accountId,
    actor: 'user-1',
    bounds: { apiKeys: 100, agents: 100, credentials: 100, secrets: 100 },
  }).spend();
const sumOf = (days: readonly DayOfSpend[]) => days.reduce((sum, { costMicros }) => sum + costMicros, 0n);

async function charge(party: Party, costMicros: number): Promise<string> {
  const call = await world.claimed(party);
  await world.drives.settle(settlementOf(call, { charge: { billableSeconds: 60, costMicros: micros(costMicros) } }));
  return call.id;
}

/** Moves a charge to another time, by Postgres's clock. */
async function moveTo(callId: string, moment: string): Promise<void> {
  await world.database.side.$executeRawUnsafe(
    `UPDATE ledger_entries SET created_at = ${moment} WHERE call_id = '${callId}'`,
  );
}

const MIDNIGHT = `(((clock_timestamp() AT TIME ZONE 'UTC')::date)::timestamp AT TIME ZONE 'UTC')`;

test('spend covers thirty UTC days, and their sum equals the ledger', async () => {
  const party = await world.party();
  await charge(party, 17_000);
  await charge(party, 0);
  await moveTo(await charge(party, 5_000), `${MIDNIGHT} - interval '1 millisecond'`);
  await moveTo(await charge(party, 7_000), `${MIDNIGHT} - interval '29 days'`);
  await moveTo(await charge(party, 9_000), `${MIDNIGHT} - interval '29 days' - interval '1 millisecond'`);
  await charge(await world.party(), 20_000);
  await world.database.side.$executeRaw`
    INSERT INTO ledger_entries (account_id, kind, amount_micros, idempotency_key)
    VALUES (${party.accountId}::uuid, 'top_up', 1000000, 'a')`;
  const days = await spendOf(party.accountId);
  expect(days).toHaveLength(30);
  expect(days.map(({ date }) => date)).toEqual(days.map(({ date }) => date).toSorted());
  expect(Date.parse(days[29]?.date ?? '') - Date.parse(days[0]?.date ?? '')).toBe(29 * 86_400_000);
  expect(days[29]).toMatchObject({ costMicros: 17_000n, calls: 2 });
  expect(days[28]).toMatchObject({ costMicros: 5_000n, calls: 1 });
  expect(days[0]).toMatchObject({ costMicros: 7_000n, calls: 1 });
  const [ledger] = await world.database.side.$queryRaw<{ micros: bigint }[]>`
    SELECT -sum(amount_micros)::bigint AS micros FROM ledger_entries
    WHERE account_id = ${party.accountId}::uuid AND kind = 'call_charge'`;
  expect(sumOf(days) + 9_000n).toBe(ledger?.micros);
});

test('spend is an index-only scan, for any number of calls', async () => {
  const party = await world.party();
  await insertEndedCalls(world.database, [party], 20_000);
  await world.database.side.$executeRaw`
    INSERT INTO ledger_entries (account_id, call_id, kind, amount_micros, created_at)
    SELECT account_id, id, 'call_charge', -1000, ended_at - (row_number() OVER ()) * interval '10 minutes'
    FROM calls WHERE account_id = ${party.accountId}::uuid`;
  await world.database.side.$executeRaw`VACUUM ANALYZE ledger_entries`;
  const { text, values } = spendStatement(party.accountId);
  const rows = await world.database.side.$queryRawUnsafe<{ 'QUERY PLAN': string }[]>(
    `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text}`,
    ...values,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Only Scan using ledger_entries_charges_idx');
  expect(plan).not.toContain('Seq Scan');
});
