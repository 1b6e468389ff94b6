import type { CallId, CreateCallBody, Micros, ReservationId } from '@outdial/contracts';
import { invariant, InvariantError, unreachable, withDeadline } from '@outdial/kernel';
import { authorizeCall, type AuthorizationDeps, type CallPlan, type CallRefusal } from './authorize-call.ts';
import type { Call } from '../call.ts';
import { createCommitCall, type CommitCallDeps } from './commit-call.ts';
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
  /** When the response is due, by the monotonic clock. */
  readonly deadlineMs: number;
  /**
   * Makes what must be there before the call. A repeated request does without: its response is the stored call. Resolves with
   * the error that rejects the request, or null.
   */
  readonly prepare?: (byMs: number) => Promise<Error | null>;
}

/** In order of precedence. Only `accepted` and `outcome_unknown` leave anything behind. */
export type AcceptCallOutcome =
  /** The key's first request became this call, shown in its current state. */
  | { readonly kind: 'replayed'; readonly call: Call }
  | { readonly kind: 'idempotency_key_reused' }
  /** What `prepare` resolved with. */
  | { readonly kind: 'not_prepared'; readonly error: Error }
  | CallRefusal
  /** Another request under the same key is in progress. */
  | { readonly kind: 'idempotency_in_progress' }
  /** No trunk takes calls, and waiting in the queue is pointless or the queue is full. */
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
  /** The account may have no more scheduled calls. */
  | { readonly kind: 'too_many_scheduled'; readonly limit: number }
  | { readonly kind: 'service_unavailable'; readonly cause: unknown }
  /** The request may have become a call with this id, and Postgres cannot be asked. */
  | { readonly kind: 'outcome_unknown'; readonly callId: CallId; readonly cause: unknown }
  | { readonly kind: 'accepted'; readonly call: Call };

export interface AcceptCallDeps extends Omit<ReserveCallDeps, 'gate'>, Omit<CommitCallDeps, 'gate'>, AuthorizationDeps {
  readonly gate: ReserveCallDeps['gate'] & CommitCallDeps['gate'];
  readonly newCallId: () => CallId;
  readonly newReservationId: () => ReservationId;
  readonly queueTtlSeconds: number;
  /** The availability of the trunks; null while no worker with trunks runs. Without this reader every call is accepted. */
  readonly readTrunkAvailability?: () => Promise<TrunkAvailability | null>;
}

/** One request in progress. */
interface PendingRequest {
  readonly request: AcceptCallRequest;
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly idempotency: Idempotency | null;
}

/** Reserved within the time budget: for Postgres to take the call, and to find out what happened if it does not answer. */
const COMMIT_MS = 350;
const LEARN_MS = 150;

/** authorize → reserve → commit → enqueue. Answers by the deadline, whichever store hangs. */
export function createAcceptCall(deps: AcceptCallDeps) {
  const reserveCall = createReserveCall(deps);
  const commitCall = createCommitCall(deps);

  function begin(request: AcceptCallRequest): PendingRequest {
    const { account, body, idempotencyKey: key } = request;
    const reservationId = deps.newReservationId();
    if (key === null) return { request, callId: deps.newCallId(), reservationId, idempotency: null };
    const idempotency = { key, bodyDigest: digestBody(body) };
    return { request, callId: idempotentCallId(account.id, key), reservationId, idempotency };
  }

  /** The response from the stored call of this key; null if there is none. */
  async function replay(pending: PendingRequest, byMs: number): Promise<AcceptCallOutcome | null> {
    if (pending.idempotency === null) return null;
    const { callId, request } = pending;
    const reading = deps.store.findIdempotent({ accountId: request.account.id, callId, sendByMs: byMs });
    const stored = await withDeadline(deps.clock, byMs, reading);
    if (stored === null) return null;
    if (stored.bodyDigest !== pending.idempotency.bodyDigest) return { kind: 'idempotency_key_reused' };
    return { kind: 'replayed', call: stored.call };
  }

  /** Null if it cannot be read: the call is accepted then and waits in the queue. */
  async function readAvailabilityBy(byMs: number): Promise<TrunkAvailability | null> {
    if (!deps.readTrunkAvailability) return null;
    try {
      return await withDeadline(deps.clock, byMs, deps.readTrunkAvailability());
    } catch {
      return null;
    }
  }

  async function reserve(
    pending: PendingRequest,
    plan: CallPlan,
    availability: TrunkAvailability | null,
  ): Promise<AcceptCallOutcome> {
    const wait = waitForTrunk(availability, deps.queueTtlSeconds);
    if (wait.kind === 'pointless') {
      return { kind: 'no_trunk_available', retryAfterSeconds: wait.retryAfterSeconds };
    }
    const { callId, reservationId, request } = pending;
    const reservation = { callId, accountId: request.account.id, reservationId, holdMicros: plan.holdMicros };
    const reserved = await reserveCall(reservation, request.deadlineMs - COMMIT_MS);
    switch (reserved.kind) {
      case 'reserved':
        return commit(pending, plan, reserved.token);
      case 'duplicate':
        return (await replay(pending, request.deadlineMs)) ?? { kind: 'idempotency_in_progress' };
      case 'insufficient_funds': {
        const { holdMicros: requiredMicros, currency } = plan;
        return { kind: 'insufficient_funds', requiredMicros, availableMicros: reserved.availableMicros, currency };
      }
      case 'capacity_exceeded':
        // The slots are full of calls that wait for a trunk.
        if (wait.isOut && reserved.scope === 'system') {
          return { kind: 'no_trunk_available', retryAfterSeconds: retryAfterOf(availability) };
        }
        return reserved;
      case 'unavailable':
        return { kind: 'service_unavailable', cause: reserved.cause };
      default:
        return unreachable(reserved);
    }
  }

  async function commit(pending: PendingRequest, plan: CallPlan, token: GateToken): Promise<AcceptCallOutcome> {
    const { deadlineMs: answerByMs } = pending.request;
    const acceptByMs = answerByMs - LEARN_MS;
    const row = rowOf(pending, plan, token, { queueTtlSeconds: deps.queueTtlSeconds, sendByMs: acceptByMs });
    const committed = await commitCall(row, { acceptByMs, answerByMs });
    if (committed.kind !== 'call_exists') return committed;
    const replayed = await replay(pending, answerByMs);
    invariant(replayed !== null, 'the call with a derived id can be read by that id');
    return replayed;
  }

  return async function acceptCall(request: AcceptCallRequest): Promise<AcceptCallOutcome> {
    const pending = begin(request);
    const authorizeByMs = request.deadlineMs - COMMIT_MS;
    try {
      const replayed = await replay(pending, authorizeByMs);
      if (replayed) return replayed;
      const error = await request.prepare?.(authorizeByMs);
      if (error) return { kind: 'not_prepared', error };
      const authorizing = authorizeCall(deps, request.account, request.body);
      const reading = readAvailabilityBy(authorizeByMs);
      const authorization = await withDeadline(deps.clock, authorizeByMs, authorizing);
      if (authorization.kind !== 'authorized') return authorization;
      return await reserve(pending, authorization.plan, await reading);
    } catch (cause) {
      if (cause instanceof RowRejected || isDefect(cause)) throw cause;
      return { kind: 'service_unavailable', cause };
    }
  };
}

/** Copied field by field: this runs for every call, and rest and spread cost several times as much. */
function rowOf(
  pending: PendingRequest,
  plan: CallPlan,
  token: GateToken,
  { queueTtlSeconds, sendByMs }: Pick<AcceptRow, 'queueTtlSeconds' | 'sendByMs'>,
): AcceptRow {
  const { request, callId, reservationId, idempotency } = pending;
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
    conducted: plan.conducted,
    variables: request.body.variables ?? {},
    metadata: request.body.metadata ?? {},
    webhookUrl: request.body.webhook_url ?? null,
    idempotency,
    requestId: request.requestId,
    queueTtlSeconds,
    sendByMs,
  };
}

/** A defect must be visible as one: reported as an outage, it would send operators to healthy stores. */
function isDefect(cause: unknown): boolean {
  return cause instanceof InvariantError || cause instanceof TypeError || cause instanceof RangeError;
}
