import type { CallId, ReservationId } from '@outdial/contracts';
import { invariant, unreachable, withDeadline } from '@outdial/kernel';
import type { AcceptCallOutcome, AcceptCallRequest } from './accept-call-request.ts';
import { acceptRowOf, scheduleRowOf, type PendingRequest } from './accept-rows.ts';
import { askSchedule, type AskedDial } from './ask-schedule.ts';
import { askWindow } from './ask-window.ts';
import { authorizeCall, type AuthorizationDeps, type CallPlan } from './authorize-call.ts';
import { createCommitCall, createCommitSchedule, type CommitCallDeps, type CommitCallOutcome } from './commit-call.ts';
import { digestBody, idempotentCallId } from './idempotency.ts';
import { isDefect } from './is-defect.ts';
import { RowRejected, type ScheduleRow } from '../ports/accept-store.ts';
import type { Directory } from '../ports/directory.ts';
import type { GateToken } from '../ports/gate.ts';
import type { TrunkAvailability } from '../ports/trunks.ts';
import { createReserveCall, type ReserveCallDeps } from './reserve-call.ts';
import { createScheduledCount, MOST_SCHEDULED } from './scheduled-count.ts';
import { retryAfterOf, waitForTrunk } from '../trunks/trunk-wait.ts';

export type { AcceptCallOutcome, AcceptCallRequest } from './accept-call-request.ts';

export interface AcceptCallDeps extends Omit<ReserveCallDeps, 'gate'>, Omit<CommitCallDeps, 'gate'>, AuthorizationDeps {
  readonly directory: AuthorizationDeps['directory'] & Pick<Directory, 'findAgent'>;
  readonly gate: ReserveCallDeps['gate'] & CommitCallDeps['gate'];
  readonly newCallId: () => CallId;
  readonly newReservationId: () => ReservationId;
  readonly queueTtlSeconds: number;
  /** The availability of the trunks; null while no worker with trunks runs. Without this reader every call is accepted. */
  readonly readTrunkAvailability?: () => Promise<TrunkAvailability | null>;
}

/** A call that is to be dialed at once. */
type DialAtOnce = Extract<AskedDial, { readonly kind: 'at_once' }>;

/** Reserved within the time budget: for Postgres to take the call, and to find out what happened if it does not answer. */
const COMMIT_MS = 350;
const LEARN_MS = 150;

/**
 * authorize → reserve → commit → enqueue; a call for later is committed without a reservation. Answers by the deadline,
 * whichever store hangs.
 */
export function createAcceptCall(deps: AcceptCallDeps) {
  const reserveCall = createReserveCall(deps);
  const commitCall = createCommitCall(deps);
  const commitSchedule = createCommitSchedule(deps);
  const maySchedule = createScheduledCount(deps);

  function begin(request: AcceptCallRequest): PendingRequest {
    const { account, body, idempotencyKey: key } = request;
    const reservationId = deps.newReservationId();
    if (key === null) return { request, callId: deps.newCallId(), reservationId, idempotency: null };
    const idempotency = { key, bodyDigest: digestBody(body) };
    return { request, callId: idempotentCallId(account.id, key), reservationId, idempotency };
  }

  /** The response from the stored call of this key, deleted or not; null if there is none. */
  async function replay(pending: PendingRequest, byMs: number): Promise<AcceptCallOutcome | null> {
    if (pending.idempotency === null) return null;
    const { callId, request } = pending;
    const reading = deps.store.findIdempotent({ accountId: request.account.id, callId, sendByMs: byMs });
    const stored = await withDeadline(deps.clock, byMs, reading);
    if (stored === null) return null;
    const { call, bodyDigest } = stored;
    if (call === null || bodyDigest !== pending.idempotency.bodyDigest) return { kind: 'idempotency_key_reused' };
    return { kind: 'replayed', call };
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
    dial: DialAtOnce,
    availability: TrunkAvailability | null,
  ): Promise<AcceptCallOutcome> {
    const wait = waitForTrunk(availability, deps.queueTtlSeconds);
    if (wait.kind === 'pointless') {
      return { kind: 'no_trunk_available', retryAfterSeconds: wait.retryAfterSeconds };
    }
    const { callId, reservationId, request } = pending;
    const { traceParent } = request;
    const reservation = {
      callId,
      accountId: request.account.id,
      reservationId,
      holdMicros: plan.holdMicros,
      traceParent,
    };
    const reserved = await reserveCall(reservation, request.deadlineMs - COMMIT_MS);
    switch (reserved.kind) {
      case 'reserved':
        return commit(pending, plan, dial, reserved.token);
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
        if (dial.whenFull === null) return reserved;
        return schedule(withoutReservation(pending), plan, {
          schedule: dial.whenFull,
          waitingFor: 'capacity',
          dueAtMs: deps.clock.nowMs(),
        });
      case 'unavailable':
        return { kind: 'service_unavailable', cause: reserved.cause };
      default:
        return unreachable(reserved);
    }
  }

  /**
   * The gate may receive the command again, late, and reserve after all. Nothing gives up a reservation that Postgres has for
   * used: the call is stored under another id.
   */
  function withoutReservation(pending: PendingRequest): PendingRequest {
    return { ...pending, reservationId: deps.newReservationId() };
  }

  async function commit(
    pending: PendingRequest,
    plan: CallPlan,
    { schedule: retried, queueTtlSeconds }: DialAtOnce,
    token: GateToken,
  ): Promise<AcceptCallOutcome> {
    const deadlines = deadlinesOf(pending);
    const row = acceptRowOf(pending, plan, token, retried, { queueTtlSeconds, sendByMs: deadlines.acceptByMs });
    return answer(pending, await commitCall(row, deadlines));
  }

  async function schedule(
    pending: PendingRequest,
    plan: CallPlan,
    wait: Pick<ScheduleRow, 'schedule' | 'waitingFor' | 'dueAtMs'>,
  ): Promise<AcceptCallOutcome> {
    const { account, deadlineMs } = pending.request;
    const isWithinLimit = await withDeadline(deps.clock, deadlineMs - COMMIT_MS, maySchedule(account.id));
    if (!isWithinLimit) return { kind: 'too_many_scheduled', limit: MOST_SCHEDULED };
    const { queueTtlSeconds } = deps;
    const deadlines = deadlinesOf(pending);
    const row = scheduleRowOf(pending, plan, wait, { queueTtlSeconds, sendByMs: deadlines.acceptByMs });
    return answer(pending, await commitSchedule(row, deadlines));
  }

  async function answer(pending: PendingRequest, committed: CommitCallOutcome): Promise<AcceptCallOutcome> {
    if (committed.kind === 'frequency_capped') return { ...committed, untilMs: await cappedUntilMs(pending) };
    if (committed.kind !== 'call_exists') return committed;
    const replayed = await replay(pending, pending.request.deadlineMs);
    invariant(replayed !== null, 'the call with a derived id can be read by that id');
    return replayed;
  }

  /** Null if it cannot be read, or has just passed: what the request is answered does not depend on it. */
  async function cappedUntilMs({ request }: PendingRequest): Promise<number | null> {
    const reading = deps.store.cappedUntilMs(request.account.id, request.body.to_number);
    return withDeadline(deps.clock, request.deadlineMs, reading).catch(() => null);
  }

  async function accept(pending: PendingRequest): Promise<AcceptCallOutcome> {
    const { request } = pending;
    const { account, body } = request;
    const authorizeByMs = request.deadlineMs - COMMIT_MS;
    const replayed = await replay(pending, authorizeByMs);
    if (replayed) return replayed;
    const error = await request.prepare?.(authorizeByMs);
    if (error) return { kind: 'not_prepared', error };
    const dial = askSchedule(body, deps.clock.nowMs(), deps.queueTtlSeconds);
    if (dial.kind === 'invalid_request') return dial;
    const authorizing = authorizeCall(deps, account, body, () => deps.directory.findAgent(account.id, body.agent_id));
    // A call for later waits for a trunk as long as it takes.
    const reading = dial.kind === 'later' ? null : readAvailabilityBy(authorizeByMs);
    const authorization = await withDeadline(deps.clock, authorizeByMs, authorizing);
    if (authorization.kind !== 'authorized') return authorization;
    const { plan } = authorization;
    const window = askWindow(account.policies, plan.place, dial, deps.clock.nowMs());
    if (window.kind === 'outside_calling_window') return window;
    if (window.kind === 'wait') return schedule(pending, plan, window);
    if (dial.kind === 'later') {
      const { schedule: asked } = dial;
      return schedule(pending, plan, { schedule: asked, waitingFor: 'time', dueAtMs: window.atMs });
    }
    return reserve(pending, plan, dial, await reading);
  }

  return async function acceptCall(request: AcceptCallRequest): Promise<AcceptCallOutcome> {
    try {
      return await accept(begin(request));
    } catch (cause) {
      if (cause instanceof RowRejected || isDefect(cause)) throw cause;
      return { kind: 'service_unavailable', cause };
    }
  };
}

function deadlinesOf({ request: { deadlineMs: answerByMs } }: PendingRequest) {
  return { acceptByMs: answerByMs - LEARN_MS, answerByMs };
}
