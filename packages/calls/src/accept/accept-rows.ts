import type { CallId, ReservationId } from '@outdial/contracts';
import type { AcceptRow, AskedSchedule, ScheduleRow } from '../ports/accept-store.ts';
import type { GateToken } from '../ports/gate.ts';
import type { AcceptCallRequest } from './accept-call-request.ts';
import type { CallPlan } from './authorize-call.ts';
import type { Idempotency } from './idempotency.ts';

/** One request in progress. */
export interface PendingRequest {
  readonly request: AcceptCallRequest;
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly idempotency: Idempotency | null;
}

type RowOptions = Pick<AcceptRow, 'queueTtlSeconds' | 'sendByMs'>;

/** Copied field by field: this runs for every call, and rest and spread cost several times as much. */
export function acceptRowOf(
  pending: PendingRequest,
  plan: CallPlan,
  token: GateToken,
  schedule: AskedSchedule | null,
  { queueTtlSeconds, sendByMs }: RowOptions,
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
    traceParent: request.traceParent,
    queueTtlSeconds,
    schedule,
    place: plan.place,
    sendByMs,
  };
}

export function scheduleRowOf(
  pending: PendingRequest,
  plan: CallPlan,
  wait: Pick<ScheduleRow, 'schedule' | 'waitingFor' | 'dueAtMs'>,
  { queueTtlSeconds, sendByMs }: RowOptions,
): ScheduleRow {
  const { request, callId, reservationId: arbiterId, idempotency } = pending;
  return {
    callId,
    accountId: request.account.id,
    agentId: plan.agent.id,
    agentVersion: plan.agent.version,
    callerNumber: plan.callerNumber,
    calleeNumber: plan.calleeNumber,
    currency: plan.currency,
    rate: plan.rate,
    limits: plan.limits,
    variables: request.body.variables ?? {},
    metadata: request.body.metadata ?? {},
    webhookUrl: request.body.webhook_url ?? null,
    idempotency,
    requestId: request.requestId,
    traceParent: request.traceParent,
    queueTtlSeconds,
    schedule: wait.schedule,
    waitingFor: wait.waitingFor,
    dueAtMs: wait.dueAtMs,
    place: plan.place,
    arbiterId,
    sendByMs,
  };
}
