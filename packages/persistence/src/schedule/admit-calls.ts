import type { AdmitOutcome, AdmitRow } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { rethrowAsKnown } from '../accept/not-carried-out.ts';
import { toStoredConducted } from '../conducted-row.ts';
import type { Database } from '../database.ts';

interface AnswerRow {
  readonly callId: CallId;
  readonly outcome: AdmitOutcome['kind'];
  readonly lateMs: number | null;
}

export async function admitCalls({ hot }: Database, rows: readonly AdmitRow[]): Promise<readonly AdmitOutcome[]> {
  const batch = JSON.stringify(rows.map(toInput));
  const answers = await hot.$queryRaw<AnswerRow[]>`
    SELECT call_id AS "callId", outcome, late_ms AS "lateMs" FROM admit_calls(${batch}::json)`.catch(rethrowAsKnown);
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  return rows.map(({ callId }) => {
    const answer = byCall.get(callId);
    invariant(answer, 'admit_calls returns every row');
    const { outcome: kind, lateMs } = answer;
    return kind === 'admitted' ? { kind, lateMs: Math.max(0, lateMs ?? 0) } : { kind };
  });
}

function toInput(row: AdmitRow) {
  return {
    id: row.callId,
    admit_token: row.admitToken,
    reservation_id: row.reservationId,
    generation: row.token.generation,
    timeline: row.token.walTimeline,
    hold_micros: Number(row.holdMicros),
    rate_prefix: row.rate.prefix,
    connection_fee_micros: Number(row.rate.connectionFeeMicros),
    price_per_minute_micros: Number(row.rate.pricePerMinuteMicros),
    initial_increment_seconds: row.rate.initialIncrementSeconds,
    increment_seconds: row.rate.incrementSeconds,
    callee_zones: row.place.zones,
    callee_regions: row.place.regions,
    conducted: row.conducted === null ? undefined : toStoredConducted(row.conducted),
  };
}
