import type { AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';

const MOST_IN_A_BATCH = 1_000;
/** Every process has read the new policy by then: a directory's entries are a second old at most. */
const AFTER_MS = 2_000;

/**
 * Makes calls due that wait for the calling hours or for a cap, so that another policy is asked about them: two seconds from
 * now, or at their own time if that is later. What a turn or another statement has locked is skipped.
 *
 * @returns how many calls became due earlier
 */
export async function lookAgain({ side }: Pick<Database, 'side'>, accountId: AccountId): Promise<number> {
  const [row] = await side.$queryRaw<{ nowMs: number }[]>`SELECT epoch_ms(clock_timestamp()) AS "nowMs"`;
  const momentMs = Math.ceil(row?.nowMs ?? 0) + AFTER_MS;
  let moved = 0;
  for (;;) {
    const inBatch = await moveBatch({ side }, accountId, momentMs);
    moved += inBatch;
    if (inBatch < MOST_IN_A_BATCH) return moved;
  }
}

/** Those that were moved are no longer later than the moment, so that the next batch has others. */
async function moveBatch({ side }: Pick<Database, 'side'>, accountId: AccountId, momentMs: number): Promise<number> {
  const [row] = await side.$queryRaw<{ moved: number }[]>`
    WITH waiting AS MATERIALIZED (
      SELECT s.call_id, GREATEST(s.scheduled_for, m.at) AS due_at
      FROM (SELECT from_epoch_ms(${momentMs}::bigint) AS at) m, call_schedules s
      WHERE s.account_id = ${accountId}::uuid AND s.is_waiting AND s.waiting_for IN ('window', 'cap')
        AND s.due_at > m.at AND (s.scheduled_for IS NULL OR s.due_at > s.scheduled_for)
      ORDER BY s.call_id LIMIT ${MOST_IN_A_BATCH}::int FOR NO KEY UPDATE OF s SKIP LOCKED
    ), moved AS (
      UPDATE call_schedules s SET due_at = w.due_at FROM waiting w WHERE s.call_id = w.call_id RETURNING s.due_at
    ), due AS (
      SELECT min(m.due_at) AS at FROM moved m
    ), turns AS (
      UPDATE dial_turns t SET due_at = LEAST(t.due_at, d.at), new_due = LEAST(t.new_due, d.at)
      FROM due d WHERE t.account_id = ${accountId}::uuid AND (t.due_at > d.at OR t.new_due > d.at)
    )
    SELECT count(*)::int AS moved FROM moved`;
  return row?.moved ?? 0;
}
