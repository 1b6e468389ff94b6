import type { CallId, CreateCallBody, Micros, ReservationId } from '@outdial/contracts';
import { invariant, InvariantError, unreachable } from '@outdial/kernel';
import { authoriseCall, type AuthorisationDirectory, type CallPlan, type CallRefusal } from './authorise-call.ts';
import type { Call } from '../call.ts';
import { createCommitCall, type CommitCallDeps } from './commit-call.ts';
import { withDeadline } from '../deadline.ts';
import { digestBody, idempotentCallId, type Idempotency } from './idempotency.ts';
import { RowRejected, type AcceptRow } from '../ports/accept-store.ts';
import type { AccountProfile } from '../ports/directory.ts';
import type { GateToken } from '../ports/gate.ts';
import type { TrunkAvailability } from '../ports/trunks.ts';
import { createReserveCall, type ReserveCallDeps } from './reserve-call.ts';
import { retryAfterOf, waitForTrunk } from '../trunks/trunk-wait.ts';

/** A valid request of an authenticated account. */
export interface AcceptCallRequest {
  readonly account: AccountProfile;
  readonly body: CreateCallBody;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  /** When the answer is due, by the monotonic clock. */
  readonly deadlineMs: number;
}

/** In order of precedence. Of everything but `accepted` and `outcome_unknown`, nothing is kept. */
export type AcceptCallOutcome =
  /** The key's first request became this call, shown as it is now. */
  | { readonly kind: 'replayed'; readonly call: Call }
  | { readonly kind: 'idempotency_key_reused' }
  | CallRefusal
  /** Another attempt under the same key is on its way. */
  | { readonly kind: 'idempotency_in_progress' }
  /** No trunk takes calls, and waiting in the queue for one is pointless, or there is no room to wait. */
  | { readonly kind: 'no_trunk_available'; readonly retryAfterSeconds: number }
  | {
      readonly kind: 'insufficient_funds';
      readonly requiredMicros: Micros;
      readonly availableMicros: Micros;
      readonly currency: string;
    }
  | {
      readonly kind: 'capacity_exceeded';
      readonly scope: 'account' | 'system';
      readonly limit: number;
      readonly inUse: number;
    }
  | { readonly kind: 'service_unavailable'; readonly cause: unknown }
  /** It may have become a call of this id, and Postgres cannot be asked. */
  | { readonly kind: 'outcome_unknown'; readonly callId: CallId; readonly cause: unknown }
  | { readonly kind: 'accepted'; readonly call: Call };

export interface AcceptCallDeps extends Omit<ReserveCallDeps, 'gate'>, Omit<CommitCallDeps, 'gate'> {
  readonly gate: ReserveCallDeps['gate'] & CommitCallDeps['gate'];
  readonly directory: AuthorisationDirectory;
  readonly newCallId: () => CallId;
  readonly newReservationId: () => ReservationId;
  readonly queueTtlSeconds: number;
  /** How the trunks are; null where no worker over trunks runs. Without it every call is accepted. */
  readonly readTrunkAvailability?: () => Promise<TrunkAvailability | null>;
}

/** One request on its way. */
interface Attempt {
  readonly request: AcceptCallRequest;
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly idempotency: Idempotency | null;
}

/** Kept back from the budget for Postgres to take the call, and to learn what became of it if there is no answer. */
const COMMIT_MS = 350;
const LEARN_MS = 150;

/** authorise → reserve → commit → enqueue. Answers by the deadline, whichever store hangs. */
export function createAcceptCall(deps: AcceptCallDeps) {
  const reserveCall = createReserveCall(deps);
  const commitCall = createCommitCall(deps);

  function begin(request: AcceptCallRequest): Attempt {
    const { account, body, idempotencyKey: key } = request;
    const reservationId = deps.newReservationId();
    if (key === null) return { request, callId: deps.newCallId(), reservationId, idempotency: null };
    const idempotency = { key, bodyDigest: digestBody(body) };
    return { request, callId: idempotentCallId(account.id, key), reservationId, idempotency };
  }

  /** What the stored call of this key answers; null if there is none. */
  async function replay(attempt: Attempt, byMs: number): Promise<AcceptCallOutcome | null> {
    if (attempt.idempotency === null) return null;
    const { callId, request } = attempt;
    const reading = deps.store.findIdempotent({ accountId: request.account.id, callId, sendByMs: byMs });
    const stored = await withDeadline(deps.clock, byMs, reading);
    if (stored === null) return null;
    if (stored.bodyDigest !== attempt.idempotency.bodyDigest) return { kind: 'idempotency_key_reused' };
    return { kind: 'replayed', call: stored.call };
  }

  /** What cannot be read refuses no call: an accepted one waits in the queue. */
  async function outlookBy(byMs: number): Promise<TrunkAvailability | null> {
    if (!deps.readTrunkAvailability) return null;
    try {
      return await withDeadline(deps.clock, byMs, deps.readTrunkAvailability());
    } catch {
      return null;
    }
  }

  async function reserve(
    attempt: Attempt,
    plan: CallPlan,
    outlook: TrunkAvailability | null,
  ): Promise<AcceptCallOutcome> {
    const wait = waitForTrunk(outlook, deps.queueTtlSeconds);
    if (wait.kind === 'pointless') {
      return { kind: 'no_trunk_available', retryAfterSeconds: wait.retryAfterSeconds };
    }
    const { callId, reservationId, request } = attempt;
    const reservation = { callId, accountId: request.account.id, reservationId, holdMicros: plan.holdMicros };
    const reserved = await reserveCall(reservation, request.deadlineMs - COMMIT_MS);
    switch (reserved.kind) {
      case 'reserved':
        return commit(attempt, plan, reserved.token);
      case 'duplicate':
        return (await replay(attempt, request.deadlineMs)) ?? { kind: 'idempotency_in_progress' };
      case 'insufficient_funds': {
        const { holdMicros: requiredMicros, currency } = plan;
        return { kind: 'insufficient_funds', requiredMicros, availableMicros: reserved.availableMicros, currency };
      }
      case 'capacity_exceeded':
        // The slots are full of calls that wait for a trunk.
        if (wait.isOut && reserved.scope === 'system') {
          return { kind: 'no_trunk_available', retryAfterSeconds: retryAfterOf(outlook) };
        }
        return reserved;
      case 'unavailable':
        return { kind: 'service_unavailable', cause: reserved.cause };
      default:
        return unreachable(reserved);
    }
  }

  async function commit(attempt: Attempt, plan: CallPlan, token: GateToken): Promise<AcceptCallOutcome> {
    const { deadlineMs: answerByMs } = attempt.request;
    const acceptByMs = answerByMs - LEARN_MS;
    const row = rowOf(attempt, plan, token, { queueTtlSeconds: deps.queueTtlSeconds, sendByMs: acceptByMs });
    const committed = await commitCall(row, { acceptByMs, answerByMs });
    if (committed.kind !== 'call_exists') return committed;
    const replayed = await replay(attempt, answerByMs);
    invariant(replayed !== null, 'the call of a derived id can be read under that id');
    return replayed;
  }

  return async function acceptCall(request: AcceptCallRequest): Promise<AcceptCallOutcome> {
    const attempt = begin(request);
    const authoriseByMs = request.deadlineMs - COMMIT_MS;
    try {
      const replayed = await replay(attempt, authoriseByMs);
      if (replayed) return replayed;
      const authorising = authoriseCall(deps.directory, request.account, request.body);
      const reading = outlookBy(authoriseByMs);
      const authorisation = await withDeadline(deps.clock, authoriseByMs, authorising);
      if (authorisation.kind !== 'authorised') return authorisation;
      return await reserve(attempt, authorisation.plan, await reading);
    } catch (cause) {
      if (cause instanceof RowRejected || isDefect(cause)) throw cause;
      return { kind: 'service_unavailable', cause };
    }
  };
}

/** Named one by one: this runs for every call, and copying by rest and spread costs several times as much. */
function rowOf(
  attempt: Attempt,
  plan: CallPlan,
  token: GateToken,
  { queueTtlSeconds, sendByMs }: Pick<AcceptRow, 'queueTtlSeconds' | 'sendByMs'>,
): AcceptRow {
  const { request, callId, reservationId, idempotency } = attempt;
  return {
    callId,
    accountId: request.account.id,
    agentId: plan.agent.id,
    agentVersion: plan.agent.version,
    callerNumber: plan.callerNumber,
    calleeNumber: plan.calleeNumber,
    currency: plan.currency,
    rate: plan.rate,
    holdMicros: plan.holdMicros,
    reservationId,
    token,
    limits: plan.limits,
    variables: request.body.variables ?? {},
    metadata: request.body.metadata ?? {},
    idempotency,
    requestId: request.requestId,
    queueTtlSeconds,
    sendByMs,
  };
}

/** A mistake of ours must be seen as one: called an outage, it would send operators to healthy stores. */
function isDefect(cause: unknown): boolean {
  return cause instanceof InvariantError || cause instanceof TypeError || cause instanceof RangeError;
}
