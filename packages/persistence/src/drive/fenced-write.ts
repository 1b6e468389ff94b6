import {
  ANSWERED_SIP_CODE,
  CALL_STATES,
  type Advance,
  type ConversationNote,
  type FencedOutcome,
  type FencingToken,
  type UsageReport,
} from '@outdial/calls';
import type { AnsweredBy, CallId, CallStatus, LiveTurn } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';
import { sqlStatusAfter, sqlStatusesIn } from '../sql/call-states.ts';
import { storableJson } from '../sql/storable-json.ts';
import { keepTurns } from './keep-turns.ts';
import { keepUsage, usageInput } from './keep-usage.ts';

/** One write of a call's driver. Every kind shares one statement, so that all pending writes go out together. */
export type FencedWrite = FencingToken &
  (
    | ({ readonly kind: 'advance' } & Advance)
    | { readonly kind: 'dialog'; readonly carrier: string; readonly dialog: Readonly<Record<string, unknown>> }
    | { readonly kind: 'answered_by'; readonly answeredBy: AnsweredBy; readonly atMs: number }
    | ({ readonly kind: 'event'; readonly atMs: number } & ConversationNote)
    | {
        readonly kind: 'renewal';
        readonly leaseMs: number;
        readonly usage?: UsageReport;
        readonly turns?: readonly LiveTurn[];
      }
    | { readonly kind: 'hand_over' }
  );

const { provisional_response: RINGING, answered: ANSWERED } = CALL_STATES.transitions;

/** The statuses from which a call moves to each of these. */
const BEFORE = { [RINGING.to]: RINGING.from, [ANSWERED.to]: ANSWERED.from } satisfies Record<
  Advance['to'],
  readonly CallStatus[]
>;

function toInput(write: FencedWrite) {
  const fence = { id: write.callId, epoch: write.epoch, kind: write.kind };
  switch (write.kind) {
    case 'advance': {
      const sipCode = write.to === 'ringing' ? write.sipCode : ANSWERED_SIP_CODE;
      return { ...fence, to: write.to, before: BEFORE[write.to], at_ms: Math.round(write.atMs), sip_code: sipCode };
    }
    case 'dialog':
      return { ...fence, carrier: write.carrier, dialog: write.dialog };
    case 'answered_by':
      return { ...fence, answered_by: write.answeredBy, at_ms: Math.round(write.atMs) };
    case 'event':
      return { ...fence, event_type: write.type, data: write.data, at_ms: Math.round(write.atMs) };
    case 'renewal':
      return { ...fence, lease_ms: write.leaseMs, ...usageInput(write.usage), turns: write.turns };
    case 'hand_over':
      return fence;
    default:
      return unreachable(write);
  }
}

const hasUsage = (write: FencedWrite) => write.kind === 'renewal' && write.usage !== undefined;
const hasTurns = (write: FencedWrite) => write.kind === 'renewal' && write.turns !== undefined;

interface AnswerRow {
  readonly callId: CallId;
  readonly held: boolean;
  readonly endRequested: boolean;
}

/**
 * Stores what drivers report, if the epoch is still theirs. A transition that the table does not allow is ignored: a
 * late or repeated carrier event changes nothing.
 */
export async function writeFenced(
  { hot }: Database,
  writes: readonly FencedWrite[],
): Promise<readonly FencedOutcome[]> {
  const batch = storableJson(writes.map(toInput));
  const answers = await hot.$queryRaw<AnswerRow[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${batch}::jsonb) AS r(
        id uuid, epoch int, kind text, "to" call_status, before jsonb, at_ms bigint, sip_code int,
        carrier text, dialog jsonb, answered_by answered_by, lease_ms int, usage jsonb, usage_cost_micros bigint,
        event_type text, data jsonb, turns jsonb)
    ), locked AS MATERIALIZED (
      SELECT c.id, c.status, c.started_at, c.answered_at, c.answered_by, c.end_requested_at,
             c.lease_renewed_at, c.lease_expires_at, c.taken_over_at
      FROM input i JOIN calls c ON c.id = i.id
      WHERE c.epoch = i.epoch AND c.status IN ${sqlStatusesIn('driven')}
        -- A worker that handed a call over has lost it, even before another worker takes it.
        AND NOT (i.kind = 'renewal' AND c.lease_expires_at <= c.lease_renewed_at)
      ORDER BY c.id FOR NO KEY UPDATE OF c
    ), timed AS MATERIALIZED (
      SELECT l.id, clock_timestamp() AS now, l.taken_over_at IS NULL AS by_driver,
        i.kind = 'advance' AND i.before ? l.status::text AS moves,
        i.kind = 'answered_by' AND l.answered_by IS DISTINCT FROM i.answered_by AS recognises,
        i.kind = 'event' AS notes,
        GREATEST(from_epoch_ms(i.at_ms), l.started_at, l.answered_at) AS at
      FROM locked l JOIN input i ON i.id = l.id
    ), written AS (
      UPDATE calls c SET
        status = CASE WHEN t.moves THEN i."to" ELSE c.status END,
        answered_at = CASE WHEN t.moves AND i."to" = ${sqlStatusAfter('answered')} THEN t.at ELSE c.answered_at END,
        -- The last final response; it is kept when another worker ends the call.
        sip_code = CASE WHEN t.moves AND i."to" = ${sqlStatusAfter('answered')} THEN i.sip_code ELSE c.sip_code END,
        carrier = COALESCE(i.carrier, c.carrier),
        dialog = COALESCE(i.dialog, c.dialog),
        answered_by = COALESCE(i.answered_by, c.answered_by),
        lease_renewed_at = CASE WHEN i.kind IN ('renewal', 'hand_over') AND t.by_driver THEN t.now
                                ELSE c.lease_renewed_at END,
        lease_expires_at = CASE i.kind WHEN 'renewal' THEN t.now + i.lease_ms * interval '1 millisecond'
                                       WHEN 'hand_over' THEN t.now ELSE c.lease_expires_at END
      FROM timed t JOIN input i ON i.id = t.id
      WHERE c.id = t.id AND (i.kind NOT IN ('advance', 'answered_by', 'event') OR t.moves OR t.recognises)
    ), events AS (
      INSERT INTO call_events (call_id, at, type, data)
      SELECT t.id, t.at, CASE i.kind WHEN 'advance' THEN i."to"::text WHEN 'event' THEN i.event_type ELSE 'answered_by' END,
        CASE WHEN t.notes THEN i.data ELSE jsonb_strip_nulls(jsonb_build_object('sip_code', CASE i."to" WHEN ${sqlStatusAfter('provisional_response')} THEN i.sip_code END, 'answered_by', i.answered_by)) END
      FROM timed t JOIN input i ON i.id = t.id WHERE t.moves OR t.recognises OR t.notes ORDER BY t.id
    )${writes.some(hasUsage) ? keepUsage() : Prisma.empty}${writes.some(hasTurns) ? keepTurns() : Prisma.empty}
    SELECT i.id AS "callId", l.id IS NOT NULL AS held, l.end_requested_at IS NOT NULL AS "endRequested"
    FROM input i LEFT JOIN locked l ON l.id = i.id`;
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  return writes.map((write) => {
    const answer = byCall.get(write.callId);
    return answer?.held ? { kind: 'written', endRequested: answer.endRequested } : { kind: 'fenced' };
  });
}
