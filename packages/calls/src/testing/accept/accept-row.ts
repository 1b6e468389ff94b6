import { agentIdSchema, e164Schema, micros, type AccountId } from '@outdial/contracts';
import { calleePlace } from '@outdial/policies';
import type { AcceptRow, ScheduleRow } from '../../ports/accept-store.ts';
import type { GateToken } from '../../ports/gate.ts';
import { newCallId, newReservationId } from '../ids.ts';

const AGENT_ID = agentIdSchema.parse('0b000000-0000-4000-8000-000000000001');

const HOUR_MS = 3_600_000;
/** A scheduled call is stored without the gate. */
const NO_TOKEN: GateToken = { generation: 0, walTimeline: '00000000' };

interface RowOwner {
  readonly accountId: AccountId;
  readonly agentId?: AcceptRow['agentId'];
}

/** A reserved request, as the gate grants it under `token`. */
export function acceptRow(
  { accountId, agentId = AGENT_ID }: RowOwner,
  token: GateToken,
  changes: Partial<AcceptRow> = {},
): AcceptRow {
  return {
    callId: newCallId(),
    accountId,
    agentId,
    agentVersion: 1,
    callerNumber: e164Schema.parse('+12025550100'),
    calleeNumber: e164Schema.parse('+12025550143'),
    currency: 'USD',
    rate: {
      prefix: '1',
      connectionFeeMicros: micros(5_000),
      pricePerMinuteMicros: micros(12_000),
      initialIncrementSeconds: 60,
      incrementSeconds: 60,
    },
    holdMicros: micros(29_000),
    reservationId: newReservationId(),
    token,
    limits: { maxDurationSeconds: 1_800, ringTimeoutSeconds: 30 },
    conducted: null,
    variables: { name: 'Zoë' },
    metadata: { order: { lines: [1, 2.5, null] } },
    webhookUrl: null,
    idempotency: null,
    requestId: 'req-1',
    queueTtlSeconds: 600,
    schedule: null,
    place: calleePlace('+12025550143', null),
    sendByMs: Number.POSITIVE_INFINITY,
    ...changes,
  };
}

/** A request for a call an hour from now. */
export function scheduleRow(owner: RowOwner, changes: Partial<ScheduleRow> = {}): ScheduleRow {
  const {
    reservationId: arbiterId,
    token: _token,
    holdMicros: _hold,
    conducted: _models,
    ...row
  } = acceptRow(owner, NO_TOKEN);
  const scheduledForMs = Date.now() + HOUR_MS;
  const schedule = { scheduledForMs, giveUpAtMs: scheduledForMs + HOUR_MS, retry: null };
  return {
    ...row,
    schedule,
    waitingFor: 'time',
    dueAtMs: changes.schedule?.scheduledForMs ?? scheduledForMs,
    arbiterId,
    ...changes,
  };
}
