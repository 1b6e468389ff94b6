import { randomUUID } from 'node:crypto';
import type { DialRequest } from '@outdial/calls';
import { accountIdSchema, agentSettingsSchema, callIdSchema, e164Schema } from '@outdial/contracts';

export const settings = agentSettingsSchema.parse({ name: 'Reminder', first_message: 'Hello.' });

/** A request that may be dialed and is stored at once, with `changes`. */
export function dialRequest(number: string, changes: Partial<DialRequest> = {}): DialRequest {
  return {
    callId: callIdSchema.parse(randomUUID()),
    accountId: accountIdSchema.parse(randomUUID()),
    callerNumber: e164Schema.parse('+12025550199'),
    calleeNumber: e164Schema.parse(number),
    ringTimeoutMs: 30_000,
    maxDurationMs: 1_800_000,
    mayDial: () => true,
    awaitDialPermit: async () => false,
    acquiredTrunk: null,
    beginAttempt: async () => 'begun',
    recorded: async () => undefined,
    rightEndsAtMs: () => Infinity,
    ...changes,
  };
}
