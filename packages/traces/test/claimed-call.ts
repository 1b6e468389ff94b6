import { randomUUID } from 'node:crypto';
import type { ClaimedCall, DriveStore } from '@outdial/calls';
import {
  accountIdSchema,
  agentIdSchema,
  callIdSchema,
  e164Schema,
  micros,
  reservationIdSchema,
  scriptedSettingsSchema,
} from '@outdial/contracts';
import type { TraceParent } from '@outdial/kernel';

/** Texts that no span may contain. */
export const CANARIES = {
  caller: '+12025550199',
  callee: '+12025550143',
  said: 'my secret is tangerine',
  variable: 'Ada Lovelace',
  metadata: 'order-4711',
  webhook: 'https://hooks.example.com/token-tangerine',
} as const;

/** A real moment: OpenTelemetry takes a number below the age of the process for a time since its start. */
const QUEUED_AT_MS = Date.UTC(2026, 10, 20, 14);

export function claimedCall(traceParent: TraceParent | null): ClaimedCall {
  return {
    id: callIdSchema.parse(randomUUID()),
    accountId: accountIdSchema.parse(randomUUID()),
    agentId: agentIdSchema.parse(randomUUID()),
    agentVersion: 1,
    callerNumber: e164Schema.parse(CANARIES.caller),
    calleeNumber: e164Schema.parse(CANARIES.callee),
    currency: 'USD',
    rate: {
      prefix: '1202',
      connectionFeeMicros: micros(0),
      pricePerMinuteMicros: micros(12_000),
      initialIncrementSeconds: 60,
      incrementSeconds: 60,
    },
    holdMicros: micros(24_000),
    limits: { maxDurationSeconds: 60, ringTimeoutSeconds: 30 },
    conducted: null,
    variables: { name: CANARIES.variable },
    metadata: { order: CANARIES.metadata },
    reviewNote: null,
    webhookUrl: CANARIES.webhook,
    createdAtMs: 1_000,
    reservationId: reservationIdSchema.parse(randomUUID()),
    epoch: 1,
    settings: { kind: 'usable', settings: scriptedSettingsSchema.parse({ name: 'A', first_message: CANARIES.said }) },
    requestId: 'request-1',
    traceParent,
    queuedAtMs: QUEUED_AT_MS,
    startedAtMs: QUEUED_AT_MS + 2_500,
  };
}

const written = async () => ({ kind: 'written', endRequested: false }) as const;

/** A store whose writes succeed; a claim keeps the trace of the call, or takes that of the claim. */
export function agreeingStore(call: ClaimedCall, changes: Partial<DriveStore> = {}): DriveStore {
  const { id: callId, accountId, reservationId } = call;
  return {
    claim: async ({ traceParent }) => ({
      kind: 'claimed',
      call: { ...call, traceParent: call.traceParent ?? traceParent ?? null },
    }),
    reclaim: async () => ({ kind: 'claimed' }),
    saveDialog: written,
    advance: written,
    saveAnsweredBy: written,
    saveEvent: written,
    optOut: written,
    renewLease: written,
    enlargeHold: async () => ({ kind: 'enlarged' }),
    settle: async () => ({
      kind: 'settled',
      release: { callId, accountId, reservationId },
    }),
    endQueued: async () => [],
    handOver: written,
    takeOver: async () => [],
    ...changes,
  };
}
