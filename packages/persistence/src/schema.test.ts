import { ANSWERED_BY, CALL_STATUSES, endedReasons, ledgerEntrySchema, ROLES } from '@outdial/contracts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, settlementOf, type World } from '../test/world.ts';
import * as generated from './generated/enums.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const PAIRS = [
  ['call_status', generated.CallStatus, CALL_STATUSES],
  ['ended_reason', generated.EndedReason, endedReasons],
  ['answered_by', generated.AnsweredBy, ANSWERED_BY],
  ['ledger_kind', generated.LedgerKind, ledgerEntrySchema.shape.kind.options],
  ['member_role', generated.MemberRole, ROLES],
] as const;

test.each(PAIRS)("%s: Prisma's enum, Postgres's and the contracts' list are the same", async (name, prisma, list) => {
  expect(Object.values(prisma)).toEqual([...list]);
  const labels = await world.database.side.$queryRaw<{ label: string }[]>`
    SELECT e.enumlabel::text AS label FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid
    WHERE t.typname = ${name} ORDER BY e.enumsortorder`;
  expect(labels.map(({ label }) => label)).toEqual([...list]);
});

test.each([
  [
    'a second charge',
    'ledger_entries_call_id_kind_key',
    (id: string) => `
    INSERT INTO ledger_entries (account_id, call_id, kind, amount_micros)
    SELECT account_id, id, 'call_charge', 0 FROM calls WHERE id = '${id}'`,
  ],
  [
    'a cost above the hold',
    'calls_cost_check',
    (id: string) => `
    UPDATE calls SET cost_micros = hold_micros + 1 WHERE id = '${id}'`,
  ],
  [
    'a negative balance',
    'wallets_balance_check',
    (id: string) => `
    UPDATE wallets SET balance_micros = -1 WHERE account_id = (SELECT account_id FROM calls WHERE id = '${id}')`,
  ],
  [
    'an end without a reason',
    'calls_ended_check',
    (id: string) => `
    UPDATE calls SET ended_reason = NULL WHERE id = '${id}'`,
  ],
  [
    'a start before the creation',
    'calls_times_check',
    (id: string) => `
    UPDATE calls SET created_at = started_at WHERE id = '${id}'`,
  ],
  [
    'a charge for an unanswered call',
    'calls_unanswered_is_free_check',
    (id: string) => `
    UPDATE calls SET answered_at = NULL WHERE id = '${id}'`,
  ],
])('a constraint in Postgres rejects %s', async (_, constraint, statement) => {
  const call = await world.claimed(await world.party());
  await world.drives.settle(settlementOf(call));
  await expect(world.database.side.$executeRawUnsafe(statement(call.id))).rejects.toThrow(constraint);
});
