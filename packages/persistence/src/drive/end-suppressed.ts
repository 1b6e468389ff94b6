import type { AccountId, CallId, E164 } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import type { CommitHook } from '../group-commit.ts';
import { sqlReason, sqlStatusesIn } from '../sql/call-states.ts';
import { END_LOCKED_UNDIALED } from './end-undialed.ts';

/** The others end when they are admitted. */
const ENDED_AT_ONCE = 500;

/**
 * Ends what is scheduled to a number that an account has just put on its do-not-call list. It waits for no other statement: a
 * call whose row or schedule is locked is being admitted, put back or ended, and the list is asked again before it is dialed.
 */
const endSuppressed = (calls: Prisma.Sql) => Prisma.sql`
    WITH locked AS MATERIALIZED (
      SELECT c.id, c.created_at, ${sqlReason('suppressed')}::ended_reason AS reason, NULL::jsonb AS details
      FROM calls c JOIN call_schedules s ON s.call_id = c.id
      WHERE c.id IN (${calls} LIMIT ${ENDED_AT_ONCE}::int) AND c.status IN ${sqlStatusesIn('planned')}
        AND EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number))
      ORDER BY c.id FOR NO KEY UPDATE OF c, s SKIP LOCKED
    ), ${END_LOCKED_UNDIALED}`;

/** Never rejects: what could not be ended, ends when it is admitted. */
export async function announceEnded(
  ending: Promise<readonly CallId[]>,
  onCommitted: CommitHook | undefined,
): Promise<void> {
  const ended = await ending.catch(() => []);
  if (ended.length > 0) onCommitted?.(ended);
}

/** After an opt-out in this call. */
export async function endSuppressedAfter({ side }: Database, callId: CallId): Promise<readonly CallId[]> {
  const rows = await side.$queryRaw<{ callId: CallId }[]>(
    endSuppressed(Prisma.sql`
      SELECT x.id FROM calls o JOIN calls x ON x.account_id = o.account_id AND x.callee_number = o.callee_number
      WHERE o.id = ${callId}::uuid AND x.status IN ${sqlStatusesIn('planned')}`),
  );
  return rows.map(({ callId: id }) => id);
}

/** After these numbers were added to the account's list. */
export async function endSuppressedTo(
  { side }: Database,
  { accountId, numbers }: { readonly accountId: AccountId; readonly numbers: readonly E164[] },
): Promise<readonly CallId[]> {
  const rows = await side.$queryRaw<{ callId: CallId }[]>(
    endSuppressed(Prisma.sql`
      SELECT x.id FROM calls x
      WHERE x.account_id = ${accountId}::uuid AND x.callee_number = ANY (${[...numbers]}::text[])
        AND x.status IN ${sqlStatusesIn('planned')}
        -- Most accounts that import a list have nothing scheduled: then no number is looked up.
        AND EXISTS (SELECT FROM call_schedules w WHERE w.account_id = ${accountId}::uuid AND w.is_waiting)`),
  );
  return rows.map(({ callId }) => callId);
}
