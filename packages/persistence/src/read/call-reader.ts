import type { AccountOverview, AccountUse, Call, CallEvent, CallReader } from '@outdial/calls';
import { micros, type AccountId, type CallEventType, type CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { CALL_COLUMNS, toCall, type CallRow } from '../call-row.ts';
import type { Database } from '../database.ts';
import { DETAILS, readCallPage } from './call-page.ts';
import { listCalls } from './list-calls.ts';

/** Reads one account's calls. The account is part of every condition, so that no query can omit it. */
export function createCallReader(database: Database): CallReader {
  return {
    find: (accountId, callId) => find(database, accountId, callId),
    list: (input) => listCalls(database, input),
    page: (input) => readCallPage(database, DETAILS[input.detail], input),
    events: (accountId, callId) => events(database, accountId, callId),
    saveReviewNote: (accountId, callId, note) => saveReviewNote(database, accountId, callId, note),
    recordingKey: (accountId, callId) => recordingKey(database, accountId, callId),
    overview: (accountId, use) => overview(database, accountId, use),
  };
}

async function find({ side }: Database, accountId: AccountId, callId: CallId): Promise<Call | null> {
  const [row] = await side.$queryRaw<CallRow[]>`
    SELECT ${CALL_COLUMNS} FROM calls c WHERE c.id = ${callId}::uuid AND c.account_id = ${accountId}::uuid`;
  return row ? toCall(row) : null;
}

interface EventRow {
  readonly id: bigint | null;
  readonly atMs: number;
  readonly type: CallEventType;
  readonly data: Readonly<Record<string, unknown>>;
}

async function events({ side }: Database, accountId: AccountId, callId: CallId): Promise<readonly CallEvent[] | null> {
  // The left join distinguishes a call without events (one row of nulls) from a missing call (no row).
  const rows = await side.$queryRaw<EventRow[]>`
    SELECT e.id, epoch_ms(e.at) AS "atMs", e.type, e.data
    FROM calls c LEFT JOIN call_events e ON e.call_id = c.id
    WHERE c.id = ${callId}::uuid AND c.account_id = ${accountId}::uuid ORDER BY e.id`;
  if (rows.length === 0) return null;
  return rows.flatMap(({ id, atMs, type, data }) => (id === null ? [] : [{ id: id.toString(), atMs, type, data }]));
}

async function saveReviewNote(
  { side }: Database,
  accountId: AccountId,
  callId: CallId,
  note: string | null,
): Promise<Call | null> {
  const [row] = await side.$queryRaw<CallRow[]>`
    UPDATE calls c SET review_note = ${note} WHERE c.id = ${callId}::uuid AND c.account_id = ${accountId}::uuid
    RETURNING ${CALL_COLUMNS}`;
  return row ? toCall(row) : null;
}

async function recordingKey({ side }: Database, accountId: AccountId, callId: CallId): Promise<string | null> {
  const [row] = await side.$queryRaw<{ recordingKey: string | null }[]>`
    SELECT c.recording_key AS "recordingKey" FROM calls c
    WHERE c.id = ${callId}::uuid AND c.account_id = ${accountId}::uuid`;
  return row?.recordingKey ?? null;
}

interface OverviewRow {
  readonly id: AccountId;
  readonly name: string;
  readonly currency: string;
  readonly capacity: number;
  readonly balanceMicros: bigint;
}

async function overview(
  database: Database,
  accountId: AccountId,
  given: AccountUse | null,
): Promise<AccountOverview | null> {
  const [row] = await database.side.$queryRaw<OverviewRow[]>`
    SELECT a.id, a.name, a.currency, a.capacity, w.balance_micros AS "balanceMicros"
    FROM accounts a JOIN wallets w ON w.account_id = a.id WHERE a.id = ${accountId}::uuid`;
  if (!row) return null;
  const use = given ?? (await useOf(database, accountId));
  return { ...row, ...use, balanceMicros: micros(row.balanceMicros) };
}

/** Over open calls and tries only: as fast for an account with a million ended ones. */
async function useOf({ side }: Database, accountId: AccountId): Promise<AccountUse> {
  const [row] = await side.$queryRaw<{ heldMicros: bigint; openCalls: number }[]>`
    SELECT COALESCE(sum(o.hold_micros), 0)::bigint AS "heldMicros", count(*)::int AS "openCalls" FROM (
      SELECT c.hold_micros + transfer_hold_of(c.id) AS hold_micros FROM calls c
      WHERE c.account_id = ${accountId}::uuid AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL
      UNION ALL
      SELECT t.hold_micros FROM agent_tries t WHERE t.account_id = ${accountId}::uuid AND t.ended_at IS NULL
    ) o`;
  invariant(row, 'an aggregate has a row');
  return { heldMicros: micros(row.heldMicros), openCalls: row.openCalls };
}
