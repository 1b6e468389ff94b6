import type { OptOut } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import type { Database } from '../src/index.ts';

interface Row {
  readonly evidence: OptOut['evidence'];
  readonly note: string | null;
}

/** The opt-out in a call's timeline, which the account's list must have too; null if neither has one. */
export async function storedOptOut({ side }: Database, callId: CallId): Promise<OptOut | null> {
  const events = await side.$queryRaw<Row[]>`
    SELECT data->>'evidence' AS evidence, data->>'note' AS note FROM call_events
    WHERE call_id = ${callId}::uuid AND type = 'opted_out'`;
  const listed = await side.$queryRaw<{ reason: string | null }[]>`
    SELECT s.reason FROM calls c JOIN suppressions s ON s.account_id = c.account_id
      AND s.number = substr(c.callee_number, 2)::bigint AND s.removed_at IS NULL
      AND s.kind = 'opt_out' AND s.source = 'call' AND s.call_id = c.id
    WHERE c.id = ${callId}::uuid`;
  const reasons = events.map(({ note }) => ({ reason: note }));
  invariant(events.length <= 1, `the opt-out is ${events.length} times in the timeline`);
  invariant(JSON.stringify(listed) === JSON.stringify(reasons), 'timeline and list agree');
  return events[0] ?? null;
}
