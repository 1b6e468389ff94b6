import type { AccountId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';

const MOST_IN_A_BATCH = 1_000;
/** Every process has read the new policy by then: a directory's entries are a second old at most. */
const AFTER_MS = 2_000;

/** A call's place in its lane. */
interface Position {
  readonly dueAtMs: number;
  readonly callId: string;
}

interface BatchRow extends Position {
  readonly moved: number;
}

const LAST_CALL_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/**
 * Makes calls due that wait for the calling hours or for a cap, so that another policy is asked about them: two seconds from
 * now, or at their own time if that is later. What a turn or another statement has locked is skipped.
 *
 * It walks the account's lane once: each batch begins after the last, so that a call costs the same however many wait.
 *
 * @returns how many calls became due earlier
 */
export async function lookAgain({ side }: Pick<Database, 'side'>, accountId: AccountId): Promise<number> {
  const [row] = await side.$queryRaw<{ nowMs: number }[]>`SELECT epoch_ms(clock_timestamp()) AS "nowMs"`;
  invariant(row, 'Postgres says its time');
  const momentMs = Math.ceil(row.nowMs) + AFTER_MS;
  let after: Position = { dueAtMs: momentMs, callId: LAST_CALL_ID };
  let moved = 0;
  for (;;) {
    const last = await moveBatch({ side }, accountId, momentMs, after);
    moved += last?.moved ?? 0;
    if (last === null || last.moved < MOST_IN_A_BATCH) return moved;
    after = last;
  }
}

/** @returns the last call of the batch, as it was; null for an empty batch */
async function moveBatch(
  { side }: Pick<Database, 'side'>,
  accountId: AccountId,
  momentMs: number,
  after: Position,
): Promise<BatchRow | null> {
  const [last] = await side.$queryRaw<BatchRow[]>`
    WITH waiting AS MATERIALIZED (
      SELECT s.call_id, s.due_at FROM call_schedules s
      WHERE s.account_id = ${accountId}::uuid AND s.is_waiting AND s.waiting_for IN ('window', 'cap')
        AND (s.due_at, s.call_id) > (from_epoch_ms(${after.dueAtMs}::bigint), ${after.callId}::uuid)
        AND (s.scheduled_for IS NULL OR s.due_at > s.scheduled_for)
      ORDER BY s.due_at, s.call_id LIMIT ${MOST_IN_A_BATCH}::int FOR NO KEY UPDATE OF s SKIP LOCKED
    ), moved AS (
      -- An array, so that Postgres looks each call up: it would read the whole table for a join of a thousand.
      UPDATE call_schedules s SET due_at = GREATEST(s.scheduled_for, from_epoch_ms(${momentMs}::bigint))
      WHERE s.call_id = ANY (ARRAY(SELECT w.call_id FROM waiting w)) RETURNING s.due_at
    ), due AS (
      SELECT min(m.due_at) AS at FROM moved m
    ), turns AS (
      UPDATE dial_turns t SET due_at = LEAST(t.due_at, d.at), new_due = LEAST(t.new_due, d.at)
      FROM due d WHERE t.account_id = ${accountId}::uuid AND (t.due_at > d.at OR t.new_due > d.at)
    )
    SELECT epoch_ms(w.due_at) AS "dueAtMs", w.call_id AS "callId", (SELECT count(*)::int FROM moved) AS moved
    FROM waiting w ORDER BY w.due_at DESC, w.call_id DESC LIMIT 1`;
  return last ?? null;
}
