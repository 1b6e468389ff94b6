import type { Call, CallFacts, EndedCall, ScheduledCall } from '@outdial/calls';
import { accountIdSchema, agentIdSchema, callIdSchema, e164Schema, micros, type CallStatus } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';

const ID = '00000000-0000-4000-8000-000000000001';
const DIALED_AFTER_MS = 400;
const ANSWERED_AFTER_MS = 6_400;
const ENDED_AFTER_MS = 48_400;
const HOUR_MS = 3_600_000;

/** A made-up call in this state, to a test number. `atMs` is the time of the change that brought it there. */
export function exampleCall(status: CallStatus, atMs: number): Call {
  const ended = endedCall(atMs);
  const { startedAtMs, answeredAtMs, answeredBy, sipCode } = ended;
  const known = { ...exampleCallFacts(ended.createdAtMs), usage: [], schedule: null };
  switch (status) {
    case 'scheduled':
      return scheduledCall(atMs);
    case 'queued':
      return { ...known, status, createdAtMs: atMs, expiresAtMs: atMs + 600_000 };
    case 'dialing':
    case 'ringing':
      return { ...known, status, startedAtMs };
    case 'in_progress':
      return { ...known, status, startedAtMs, answeredAtMs: answeredAtMs ?? atMs, answeredBy, sipCode };
    case 'ended':
      return ended;
    default:
      return unreachable(status);
  }
}

function scheduledCall(createdAtMs: number): ScheduledCall {
  const scheduledForMs = createdAtMs + HOUR_MS;
  return {
    ...exampleCallFacts(createdAtMs),
    status: 'scheduled',
    usage: [],
    holdMicros: micros(0),
    schedule: {
      scheduledForMs,
      giveUpAtMs: scheduledForMs + 24 * HOUR_MS,
      retry: null,
      attempt: 1,
      retryOf: null,
      nextCallId: null,
      campaignId: null,
    },
    waitingFor: 'time',
  };
}

function endedCall(atMs: number): EndedCall {
  const createdAtMs = atMs - ENDED_AFTER_MS;
  return {
    ...exampleCallFacts(createdAtMs),
    status: 'ended',
    usage: [],
    schedule: null,
    startedAtMs: createdAtMs + DIALED_AFTER_MS,
    answeredAtMs: createdAtMs + ANSWERED_AFTER_MS,
    endedAtMs: atMs,
    endedReason: 'agent_hangup',
    failure: null,
    answeredBy: 'human',
    sipCode: 200,
    sip: null,
    billableSeconds: 42,
    costMicros: micros(8_900),
    transcript: [
      turn('agent', 'Hello Ada, your appointment is tomorrow at ten.', 200, 3_400),
      turn('callee', 'Thank you, goodbye.', 4_100, 5_600),
    ],
    summary: 'The callee was reminded of an appointment.',
    recordingStatus: 'available',
    analysisStatus: 'none',
    turnMetrics: [],
    analysis: null,
  };
}

function turn(role: 'agent' | 'callee', text: string, startMs: number, endMs: number) {
  const source = role === 'agent' ? ('script' as const) : ('stt' as const);
  return { role, text, start_ms: startMs, end_ms: endMs, source, interrupted: false };
}

function exampleCallFacts(createdAtMs: number): CallFacts {
  return {
    id: callIdSchema.parse(ID),
    accountId: accountIdSchema.parse(ID),
    agentId: agentIdSchema.parse(ID),
    agentVersion: 1,
    callerNumber: e164Schema.parse('+12025550101'),
    calleeNumber: e164Schema.parse('+12025550100'),
    currency: 'USD',
    rate: {
      prefix: '1',
      connectionFeeMicros: micros(500),
      pricePerMinuteMicros: micros(12_000),
      initialIncrementSeconds: 6,
      incrementSeconds: 6,
    },
    holdMicros: micros(24_500),
    limits: { maxDurationSeconds: 3_600, ringTimeoutSeconds: 60 },
    conducted: null,
    variables: { name: 'Ada' },
    metadata: { order: 7 },
    reviewNote: null,
    webhookUrl: null,
    createdAtMs,
  };
}
