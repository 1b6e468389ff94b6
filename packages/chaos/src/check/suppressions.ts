import type { Stack } from '../stack/stack.ts';

/** The time after the commit of an entry in which a dial may still begin. */
export const STOPS_WITHIN_MS = 1_000;
/** From the permit of a dial to the far end's journal, between processes that share a busy machine. */
export const ON_THE_WAY_MS = 300;

interface ListedCall {
  readonly id: string;
  readonly number: string;
  readonly reason: string | null;
  readonly costMicros: string;
  /** Since when an entry in force forbids to call this number; null: none does. */
  readonly listedAtMs: number | null;
  /** Null: its callee did not opt out. */
  readonly hasEntry: boolean | null;
}

/** No number is dialed more than a second after it was put on a do-not-call list, and each opt-out is on one. */
export async function suppressionViolations(stack: Stack): Promise<readonly string[]> {
  const calls = await stack.sql<ListedCall>(`
    SELECT c.id::text, c.callee_number AS number, c.ended_reason::text AS reason, c.cost_micros::text AS "costMicros",
      (SELECT epoch_ms(min(s.created_at))::float8 FROM suppressions s
       WHERE '+' || s.number = c.callee_number AND s.removed_at IS NULL
         AND (s.account_id = c.account_id OR s.account_id IS NULL)) AS "listedAtMs",
      CASE WHEN c.ended_reason = 'opted_out' OR EXISTS (SELECT FROM call_events e WHERE e.call_id = c.id AND e.type = 'opted_out')
        THEN EXISTS (SELECT FROM suppressions s
          WHERE s.kind = 'opt_out' AND s.account_id = c.account_id AND '+' || s.number = c.callee_number) END AS "hasEntry"
    FROM calls c`);
  const dialedAtMs = new Map((await stack.legs()).map((leg) => [leg.key, leg.dialledAtMs]));
  return calls.flatMap((call) => violationsOf(call, dialedAtMs.get(stack.carrier === 'sip' ? call.number : call.id)));
}

function violationsOf({ id, reason, costMicros, listedAtMs, hasEntry }: ListedCall, dialedAtMs?: number): string[] {
  const violations: string[] = [];
  const afterMs = (dialedAtMs ?? -Infinity) - (listedAtMs ?? Infinity);
  if (afterMs > STOPS_WITHIN_MS + ON_THE_WAY_MS)
    violations.push(`dialed ${afterMs} ms after it was put on a do-not-call list: ${id}`);
  if (reason === 'suppressed' && costMicros !== '0') violations.push(`suppressed, and charged ${costMicros}: ${id}`);
  if (hasEntry === false) violations.push(`an opt-out is lost: ${id}`);
  return violations;
}
