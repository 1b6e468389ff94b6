import {
  RowRejected,
  type BeginLegOutcome,
  type FencedOutcome,
  type GateToken,
  type TransferLeg,
  type TransferStore,
} from '@outdial/calls';
import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { isDataRejection, sqlStateOf } from '../sql-state.ts';
import { storableJson } from '../sql/storable-json.ts';

type AttemptOutcome = Awaited<ReturnType<TransferStore['beginLegAttempt']>>;
type EnlargeOutcome = Awaited<ReturnType<TransferStore['enlargeLegHold']>>;

interface AnswerRow<Outcome> {
  readonly outcome: Outcome;
  readonly endRequested: boolean;
}

const tokenInput = ({ generation, walTimeline }: GateToken) => ({ generation, timeline: walTimeline });

/** Not group-committed: few calls have a second leg, and each writes a handful of rows. */
export function createTransferStore({ hot }: Pick<Database, 'hot'>): TransferStore {
  return {
    async beginLeg({ callId, epoch, leg, writeAheadDial, token }) {
      const input = { call_id: callId, epoch, ...legInput(leg), records_ahead: writeAheadDial, ...tokenInput(token) };
      const asked = hot.$queryRaw<AnswerRow<BeginLegOutcome['kind']>[]>`
        SELECT outcome, end_requested AS "endRequested" FROM begin_transfer_leg(${storableJson(input)}::jsonb)`;
      const { outcome: kind, endRequested } = await answerOf(asked);
      return kind === 'begun' || kind === 'refused' ? { kind, endRequested } : { kind };
    },
    async beginLegAttempt({ callId, epoch, legId, carrier, trunk, dialog, token }) {
      const input = { id: legId, call_id: callId, epoch, carrier, trunk, dialog, ...tokenInput(token) };
      const asked = hot.$queryRaw<AnswerRow<AttemptOutcome['kind']>[]>`
        SELECT outcome, end_requested AS "endRequested" FROM begin_transfer_attempt(${storableJson(input)}::jsonb)`;
      const { outcome: kind, endRequested } = await answerOf(asked);
      return kind === 'written' ? { kind, endRequested } : { kind };
    },
    async saveLeg({ callId, epoch, legId, change }) {
      const { dialog, answeredAtMs, connectedAtMs, ended } = change;
      const input = {
        id: legId,
        call_id: callId,
        epoch,
        ...dialog,
        answered_at_ms: rounded(answeredAtMs),
        connected_at_ms: rounded(connectedAtMs),
        ended_at_ms: rounded(ended?.atMs),
        outcome: ended?.result,
        sip_code: ended?.sipCode,
      };
      const asked = hot.$queryRaw<AnswerRow<FencedOutcome['kind']>[]>`
        SELECT outcome, end_requested AS "endRequested" FROM save_transfer_leg(${storableJson(input)}::jsonb)`;
      const { outcome: kind, endRequested } = await answerOf(asked);
      return kind === 'written' ? { kind, endRequested } : { kind };
    },
    async enlargeLegHold({ callId, epoch, legId, holdMicros, token }) {
      const input = { id: legId, call_id: callId, epoch, hold_micros: Number(holdMicros), ...tokenInput(token) };
      const asked = hot.$queryRaw<{ outcome: EnlargeOutcome['kind'] }[]>`
        SELECT outcome FROM enlarge_transfer_hold(${JSON.stringify(input)}::jsonb)`;
      return { kind: (await answerOf(asked)).outcome };
    },
  };
}

/** What Postgres rejects for its data it rejects forever: the driver does not try again. */
async function answerOf<Row>(asked: Promise<readonly Row[]>): Promise<Row> {
  try {
    const [row] = await asked;
    invariant(row !== undefined, 'a statement about a second leg has one answer');
    return row;
  } catch (error) {
    throw isDataRejection(sqlStateOf(error)) ? new RowRejected(error) : error;
  }
}

const rounded = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : Math.round(ms));

function legInput({ legId, reservationId, destination, calleeNumber, rate, holdMicros, limits }: TransferLeg) {
  return {
    id: legId,
    reservation_id: reservationId,
    destination,
    callee_number: calleeNumber,
    rate_prefix: rate.prefix,
    connection_fee_micros: Number(rate.connectionFeeMicros),
    price_per_minute_micros: Number(rate.pricePerMinuteMicros),
    initial_increment_seconds: rate.initialIncrementSeconds,
    increment_seconds: rate.incrementSeconds,
    hold_micros: Number(holdMicros),
    ring_timeout_seconds: limits.ringTimeoutSeconds,
    max_duration_seconds: limits.maxDurationSeconds,
  };
}
