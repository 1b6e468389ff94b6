import { TRUNK_CHANNELS } from '../stack/callee.ts';
import type { Leg } from '../stack/carrier-log.ts';
import type { Stack } from '../stack/stack.ts';

/** A call, or the second leg of one. */
interface CallRow {
  readonly id: string;
  readonly number: string;
  readonly reason: string | null;
  readonly createdAtMs: number;
  /** Null for a call that was to be dialed at once. */
  readonly scheduledForMs: number | null;
  /** Null for a second leg, which begins during its call. */
  readonly expiresAtMs: number | null;
  readonly endedAtMs: number | null;
  readonly settledAtMs: number | null;
  readonly costMicros: string;
}

/** The clocks of Postgres and the far end are the same machine's, but rounded to milliseconds. */
const ROUNDING_MS = 5;

/** Ended without any worker ever having had the right to dial. */
const NEVER_CLAIMED: ReadonlySet<string> = new Set(['queue_expired', 'schedule_expired', 'not_permitted']);

/**
 * Invariants 4, 6 and 11, checked against the far end's journal: which calls were dialed, how often, when, and until
 * when.
 */
export async function dialViolations(stack: Stack): Promise<readonly string[]> {
  const calls = await stack.sql<CallRow>(`
    SELECT c.id::text, c.callee_number AS number, c.ended_reason::text AS reason, epoch_ms(c.created_at) AS "createdAtMs",
      epoch_ms(s.scheduled_for) AS "scheduledForMs", epoch_ms(c.expires_at) AS "expiresAtMs",
      epoch_ms(c.ended_at) AS "endedAtMs", epoch_ms(c.settled_at) AS "settledAtMs", c.cost_micros::text AS "costMicros"
    FROM calls c LEFT JOIN call_schedules s ON s.call_id = c.id
    UNION ALL
    SELECT id::text, callee_number, outcome, epoch_ms(begun_at), NULL, NULL, epoch_ms(ended_at), epoch_ms(settled_at),
      cost_micros::text
    FROM transfer_legs`);
  const legs = new Map<string, Leg[]>();
  for (const leg of await stack.legs()) legs.set(leg.key, [...(legs.get(leg.key) ?? []), leg]);
  const violations: string[] = [];
  for (const call of calls) {
    const key = stack.carrier === 'sip' ? call.number : call.id;
    const ofCall = legs.get(key) ?? [];
    legs.delete(key);
    violations.push(...violationsOf(call, ofCall, stack).map((rule) => `${rule}: ${call.id} (${call.reason})`));
  }
  violations.push(...[...legs.keys()].map((key) => `dialed without a call: ${key}`));
  if (stack.carrier === 'sip') violations.push(...channelViolations(await stack.legs()));
  return violations;
}

function violationsOf(call: CallRow, legs: readonly Leg[], { killedPids }: Pick<Stack, 'killedPids'>): string[] {
  const violations: string[] = [];
  if (legs.length > 1) violations.push(`dialled ${legs.length} times`);
  for (const leg of legs) {
    if (call.reason !== null && NEVER_CLAIMED.has(call.reason)) violations.push('dialed without a claim');
    if (leg.dialledAtMs < (call.scheduledForMs ?? 0) - ROUNDING_MS) violations.push('dialed before its time');
    if (leg.dialledAtMs > (call.expiresAtMs ?? Infinity) + ROUNDING_MS) violations.push('dialed after it expired');
    if (call.settledAtMs === null) continue;
    if (leg.dialledAtMs > call.settledAtMs + ROUNDING_MS) violations.push('dialed after its end');
    const died = leg.pid !== null && killedPids.has(leg.pid);
    if (leg.endedAtMs === null && !died) violations.push('ended while its leg continues');
    if (leg.endedByCallee) continue;
    if (leg.endedAtMs !== null && leg.endedAtMs > call.settledAtMs + ROUNDING_MS) {
      violations.push(`ended ${leg.endedAtMs - call.settledAtMs} ms before its leg was gone`);
    }
  }
  if (legs.length === 0 && call.costMicros !== '0') violations.push('charged without being dialed');
  return violations;
}

/** The far end sees a leg's end before a worker can give its channel to another call. */
function channelViolations(legs: readonly Leg[]): readonly string[] {
  const changes = legs
    .flatMap(({ dialledAtMs, endedAtMs }) => [
      { atMs: dialledAtMs, by: 1 },
      ...(endedAtMs === null ? [] : [{ atMs: endedAtMs, by: -1 }]),
    ])
    .toSorted((left, right) => left.atMs - right.atMs || left.by - right.by);
  let up = 0;
  let most = 0;
  for (const { by } of changes) {
    up += by;
    most = Math.max(most, up);
  }
  return most > TRUNK_CHANNELS ? [`${most} legs were up at once on a trunk of ${TRUNK_CHANNELS} channels`] : [];
}
