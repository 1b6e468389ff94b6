import type { EndRequestOutcome, EndStore, ReleaseInput } from '@outdial/calls';
import type { AccountId, CallId, ReservationId } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Database } from '../database.ts';
import { createGroupCommit, type Announcing } from '../group-commit.ts';
import { DUE_UNDIALED, SETTLE_DUE, toRelease, type SettledRow } from './settle.ts';
import { sqlReason, sqlStatusesIn } from '../sql/call-states.ts';

/** No driver has them. */
const ENDS_AT_ONCE = sqlStatusesIn('planned', 'waiting');

interface EndRequest {
  readonly accountId: AccountId;
  readonly callId: CallId;
}

interface AnswerRow extends Omit<SettledRow, 'reservationId'> {
  /** Null for a call that was scheduled until now. */
  readonly reservationId: ReservationId | null;
  readonly outcome: 'already_ended' | 'cancelled' | 'requested';
}

/** One statement that ends scheduled and queued calls, and records an end request for the drivers of claimed ones. */
async function requestEnds({ hot }: Database, inputs: readonly EndRequest[]): Promise<readonly EndRequestOutcome[]> {
  const batch = JSON.stringify(inputs.map((input) => ({ id: input.callId, account_id: input.accountId })));
  const answers = await hot.$queryRaw<AnswerRow[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${batch}::jsonb) AS r(id uuid, account_id uuid)
    ), locked AS MATERIALIZED (
      SELECT c.id, c.account_id, c.reservation_id, c.status, c.created_at, c.end_requested_at
      FROM input i JOIN calls c ON c.id = i.id AND c.account_id = i.account_id
      ORDER BY c.id FOR NO KEY UPDATE OF c
    ), timed AS MATERIALIZED (
      SELECT l.*, GREATEST(clock_timestamp(), l.created_at + interval '1 millisecond') AS now FROM locked l
    ), due AS MATERIALIZED (
      SELECT t.id, ${sqlReason('cancelled')}::ended_reason AS reason, NULL::jsonb AS details, ${DUE_UNDIALED}
      FROM timed t WHERE t.status IN ${ENDS_AT_ONCE}
    ), requested AS (
      UPDATE calls c SET end_requested_at = t.now
      FROM timed t
      WHERE c.id = t.id AND t.status IN ${sqlStatusesIn('driven')} AND t.end_requested_at IS NULL
      RETURNING c.id, c.end_requested_at
    ), notes AS (
      INSERT INTO call_events (call_id, at, type)
      SELECT r.id, r.end_requested_at, 'end_requested' FROM requested r ORDER BY r.id
    ), ${SETTLE_DUE}
    SELECT l.id AS "callId", l.account_id AS "accountId", l.reservation_id AS "reservationId",
      CASE WHEN l.status IN ${ENDS_AT_ONCE} THEN 'cancelled'
           WHEN l.status IN ${sqlStatusesIn('over')} THEN 'already_ended' ELSE 'requested' END AS outcome,
      COALESCE(p.balance_micros, w.balance_micros) AS "balanceMicros", COALESCE(p.version, w.version) AS "balanceVersion"
    FROM locked l JOIN wallets w ON w.account_id = l.account_id LEFT JOIN paid p ON p.account_id = l.account_id`;
  const byCall = new Map(answers.map((answer) => [answer.callId, answer]));
  return inputs.map((input) => {
    const answer = byCall.get(input.callId);
    // Another account's call is not found, like one that never existed.
    return answer && answer.accountId === input.accountId ? toOutcome(answer) : { kind: 'not_found' };
  });
}

function releaseOf({ reservationId, ...row }: AnswerRow): ReleaseInput | null {
  return reservationId === null ? null : toRelease({ ...row, reservationId });
}

function toOutcome(answer: AnswerRow): EndRequestOutcome {
  switch (answer.outcome) {
    case 'already_ended':
    case 'requested':
      return { kind: answer.outcome };
    case 'cancelled':
      return { kind: 'cancelled', release: releaseOf(answer) };
    default:
      return unreachable(answer.outcome);
  }
}

export function createEndStore(database: Database, { onCommitted }: Announcing = {}): EndStore {
  const requests = createGroupCommit({
    run: (inputs: readonly EndRequest[]) => requestEnds(database, inputs),
    keyOf: (input: EndRequest) => input.callId,
    isChange: ({ kind }) => kind === 'requested' || kind === 'cancelled',
    onCommitted,
  });
  return { requestEnd: (input) => requests.submit(input) };
}
