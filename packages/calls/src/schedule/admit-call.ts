import type { Micros, ReservationId } from '@outdial/contracts';
import { unreachable, withDeadline, type Clock, type Logger } from '@outdial/kernel';
import { authorizeCall, type AuthorizationDeps, type CallPlan } from '../accept/authorize-call.ts';
import { closeStale, enqueue, GateStale } from '../accept/commit-call.ts';
import { isDefect } from '../accept/is-defect.ts';
import { createReserveCall, releaseReservation, type ReserveCallDeps } from '../accept/reserve-call.ts';
import { storeRow } from '../accept/store-row.ts';
import type { AcceptStore } from '../ports/accept-store.ts';
import type { CallQueue } from '../ports/call-queue.ts';
import type { AccountProfile, Directory } from '../ports/directory.ts';
import type { Gate, GateToken } from '../ports/gate.ts';
import type { AdmitOutcome, AdmitRow, NotPermitted, ScheduleStore, TakenCall } from '../ports/schedule-store.ts';
import { capWait, windowWait, type PolicyWait } from './policy-wait.ts';

export interface AdmitCallDeps extends Omit<ReserveCallDeps, 'gate'>, AuthorizationDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly directory: AuthorizationDeps['directory'] & Pick<Directory, 'findAccount' | 'findAgentVersion'>;
  readonly gate: ReserveCallDeps['gate'] & Pick<Gate, 'close'>;
  readonly store: Pick<ScheduleStore, 'admit' | 'refuse' | 'postpone'>;
  readonly acceptStore: Pick<AcceptStore, 'voidReservation' | 'cappedUntilMs'>;
  readonly queue: Pick<CallQueue, 'add'>;
  readonly newReservationId: () => ReservationId;
}

export type AdmitCallOutcome =
  /** `lateMs` after it was due; null if the answer was lost. */
  | { readonly kind: 'admitted'; readonly lateMs: number | null }
  /** It may not be dialed any more, and has ended. */
  | { readonly kind: 'refused'; readonly reason: NotPermitted['reason'] }
  /** The gate has no slot, or no funds, for it. */
  | { readonly kind: 'capacity' | 'funds' }
  /** Its campaign's budget does not cover it. */
  | { readonly kind: 'budget' }
  /** Of a campaign, which waits: its account is disabled, or its agent's models have no credential or no price. */
  | { readonly kind: 'account' | 'credential' }
  /** The calling policy makes it wait: its hours are closed, or its number has reached a cap. */
  | { readonly kind: 'postponed'; readonly waitingFor: 'window' | 'cap'; readonly untilMs: number }
  /** It has ended, or another turn has it. */
  | { readonly kind: 'gone' }
  /** The gate still has a reservation of an earlier turn, which the reconcile loop frees. No turn takes it before its time is over. */
  | { readonly kind: 'held' }
  /** It alone cannot be admitted now. No turn takes it before its time is over. */
  | { readonly kind: 'left'; readonly cause: unknown }
  /** A store does not answer, or the gate is closed: nor could another call be admitted. */
  | { readonly kind: 'unavailable'; readonly cause: unknown };

/** Whether a campaign's budget covers another hold, which then counts. */
export type MayHold = (holdMicros: Micros) => boolean;

/** What of a call depends on its lane. */
export interface LaneTerms {
  readonly isOfCampaign?: boolean;
  readonly mayHold?: MayHold;
}

/** A call may be admitted for ten seconds. Each step has its share, so that a store that hangs does not use up all. */
const AUTHORIZE_MS = 2_000;
const RESERVE_MS = 1_000;
const ADMIT_MS = 2_500;
const LEARN_MS = 1_500;

/** What keeps every call of a campaign from being placed until an operator or an owner lifts it: none of its contacts is used up by it. */
function campaignObstacle(code: string): 'account' | 'credential' | null {
  if (code === 'account_disabled') return 'account';
  return code === 'provider_not_configured' || code === 'model_not_priced' ? 'credential' : null;
}

/** authorize → reserve → admit → enqueue: as for a call that is accepted, with what was chosen when it was scheduled. */
export function createAdmitCall(deps: AdmitCallDeps) {
  const reserveCall = createReserveCall(deps);
  const { clock, logger, store } = deps;
  const arbiter = { clock, store: deps.acceptStore };

  async function authorize(call: TakenCall, account: AccountProfile) {
    const asked = {
      agent_id: call.agentId,
      from_number: call.callerNumber,
      to_number: call.calleeNumber,
      variables: call.variables,
      max_duration_seconds: call.limits.maxDurationSeconds,
      ring_timeout_seconds: call.limits.ringTimeoutSeconds,
      ...(call.calleeTimeZone !== null && { callee_time_zone: call.calleeTimeZone }),
    };
    const { accountId, agentId, agentVersion } = call;
    return authorizeCall(deps, account, asked, () => deps.directory.findAgentVersion(accountId, agentId, agentVersion));
  }

  /** The plan, or the code of the error that a request for this call would get now. */
  async function planOf(call: TakenCall) {
    const account = await deps.directory.findAccount(call.accountId);
    if (!account?.enabled) return 'account_disabled';
    const authorization = await authorize(call, account);
    if (authorization.kind !== 'authorized') return authorization.kind;
    return { plan: authorization.plan, policies: account.policies };
  }

  async function refuse(
    call: TakenCall,
    { reason, code }: Pick<NotPermitted, 'reason' | 'code'>,
  ): Promise<AdmitCallOutcome> {
    const { callId, accountId, admitToken, requestId } = call;
    if (!(await store.refuse({ callId, admitToken, reason, code }))) return { kind: 'gone' };
    logger.info({ event: 'call.ended', callId, accountId, requestId, reason, code }, 'call ended');
    return { kind: 'refused', reason };
  }

  /** Until the wait is over, unless the call is given up before: then it ends, and says why. */
  async function postpone(call: TakenCall, { waitingFor, untilMs }: PolicyWait): Promise<AdmitCallOutcome> {
    const { callId, admitToken, giveUpAtMs } = call;
    if (untilMs === null || untilMs >= giveUpAtMs) {
      const reason = waitingFor === 'window' ? 'outside_calling_window' : 'frequency_capped';
      return refuse(call, { reason, code: reason });
    }
    await store.postpone({ callId, admitToken, waitingFor, dueAtMs: untilMs });
    return { kind: 'postponed', waitingFor, untilMs };
  }

  async function reserve(call: TakenCall, plan: CallPlan): Promise<AdmitCallOutcome> {
    const { callId, accountId } = call;
    const reservation = { callId, accountId, reservationId: deps.newReservationId(), holdMicros: plan.holdMicros };
    const reserved = await reserveCall(reservation, clock.monotonicMs() + RESERVE_MS);
    switch (reserved.kind) {
      case 'reserved':
        return admit(call, plan, reservation.reservationId, reserved.token);
      case 'duplicate':
        // Of a turn that never learned what became of it.
        return { kind: 'held' };
      case 'insufficient_funds':
        return { kind: 'funds' };
      case 'capacity_exceeded':
        return { kind: 'capacity' };
      case 'unavailable':
        return reserved;
      default:
        return unreachable(reserved);
    }
  }

  async function admit(
    call: TakenCall,
    { rate, conducted, holdMicros, place }: CallPlan,
    reservationId: ReservationId,
    token: GateToken,
  ): Promise<AdmitCallOutcome> {
    const { callId, admitToken, accountId } = call;
    const row: AdmitRow = { callId, admitToken, reservationId, token, holdMicros, rate, conducted, place };
    const acceptByMs = clock.monotonicMs() + ADMIT_MS;
    const deadlines = { acceptByMs, answerByMs: acceptByMs + LEARN_MS };
    const release = () => releaseReservation(deps.gate, { callId, accountId, reservationId });
    const stored = await storeRow(arbiter, reservationId, deadlines, () => store.admit(row));
    switch (stored.kind) {
      case 'answered':
        if (stored.outcome.kind !== 'admitted') release();
        return decide(call, row, stored.outcome);
      case 'stored':
        enqueue(deps, callId);
        return { kind: 'admitted', lateMs: null };
      case 'rejected':
        release();
        return { kind: 'left', cause: stored.cause };
      case 'not_stored':
        release();
        return { kind: 'unavailable', cause: stored.cause };
      case 'unknown':
        // Its reservation must stay until it is known: the reconcile loop frees it unless it has become a call.
        return { kind: 'unavailable', cause: stored.cause };
      default:
        return unreachable(stored);
    }
  }

  async function decide(
    call: TakenCall,
    { callId, token }: AdmitRow,
    outcome: AdmitOutcome,
  ): Promise<AdmitCallOutcome> {
    switch (outcome.kind) {
      case 'admitted':
        enqueue(deps, callId);
        return outcome;
      case 'gate_stale':
        closeStale(deps, token);
        return { kind: 'unavailable', cause: new GateStale() };
      case 'voided':
        return { kind: 'unavailable', cause: new Error('the reservation was voided') };
      case 'suppressed':
        return refuse(call, { reason: 'suppressed', code: 'suppressed' });
      case 'frequency_capped':
        return postpone(call, await capWait(deps, call, clock.monotonicMs() + LEARN_MS));
      case 'gone':
        return outcome;
      default:
        return unreachable(outcome);
    }
  }

  /** Never rejects: one call does not keep others of its turn from being admitted. */
  return async function admitCall(
    call: TakenCall,
    { isOfCampaign = false, mayHold = () => true }: LaneTerms = {},
  ): Promise<AdmitCallOutcome> {
    try {
      const planned = await withDeadline(clock, clock.monotonicMs() + AUTHORIZE_MS, planOf(call));
      if (typeof planned === 'string') {
        const obstacle = isOfCampaign ? campaignObstacle(planned) : null;
        return obstacle ? { kind: obstacle } : await refuse(call, { reason: 'not_permitted', code: planned });
      }
      const wait = windowWait(planned.policies, planned.plan.place, clock.nowMs());
      if (wait) return await postpone(call, wait);
      return mayHold(planned.plan.holdMicros) ? await reserve(call, planned.plan) : { kind: 'budget' };
    } catch (cause) {
      return { kind: isDefect(cause) ? 'left' : 'unavailable', cause };
    }
  };
}
