import { INSTRUCTION_LIMITS, type AccountId, type CallId } from '@outdial/contracts';
import { ApiError } from './api-error.ts';
import { createRateLimit, type RateLimit, type RateLimitOptions } from './rate-limit.ts';

/** Counts one instruction to a live call. @throws ApiError `rate_limited` */
export type InstructionLimit = (accountId: AccountId, callId: CallId) => Promise<void>;

const WINDOW_SECONDS = 60;
const { perMinuteOfCall, perMinuteOfAccount } = INSTRUCTION_LIMITS;

/** Each instruction reaches every worker, and is read again for every answer of the call. */
export function createInstructionLimit(options: Pick<RateLimitOptions, 'redis' | 'clock'>): InstructionLimit {
  const limit = (of: 'call' | 'account', max: number) =>
    createRateLimit({
      ...options,
      requestsPerSecond: max,
      windowSeconds: WINDOW_SECONDS,
      keyPrefix: `outdial:instructions-of-${of}`,
      scope: 'account',
    });
  const ofCall = limit('call', perMinuteOfCall);
  const ofAccount = limit('account', perMinuteOfAccount);
  return async (accountId, callId) => {
    // One busy call does not use up what the others of the account have.
    await counted(ofCall, callId, `The call has reached its limit of ${perMinuteOfCall} instructions per minute.`);
    await counted(
      ofAccount,
      accountId,
      `The account has reached its limit of ${perMinuteOfAccount} instructions per minute.`,
    );
  };
}

async function counted(count: RateLimit, id: string, publicMessage: string): Promise<void> {
  try {
    await count({ id, requestsPerSecond: null });
  } catch (error) {
    if (!(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error;
    throw new ApiError({
      code: 'rate_limited',
      publicMessage: `${publicMessage} Wait for the Retry-After period.`,
      details: { scope: 'account', thing: 'instructions' },
      retryAfterSeconds: error.retryAfterSeconds,
    });
  }
}
