import { isPasswordQueueFull, onBehalfOf } from '@outdial/identity';
import { FairLimiterFull } from '@outdial/kernel';
import { ApiError } from '../http/api-error.ts';
import { networkOf } from '../http/network-of.ts';

const RETRY_AFTER_SECONDS = 2;

/**
 * Runs work that looks at passwords: as slow on purpose as a thousand strangers may want it to be, so networks take turns.
 * Refuses before the work begins, and counts nothing as an attempt, if there is no place in the queue.
 * @throws ApiError `service_unavailable`
 */
export async function limitPasswordWork<Value>(address: string, work: () => Promise<Value>): Promise<Value> {
  const network = networkOf(address);
  if (isPasswordQueueFull(network)) throw passwordsBusy();
  try {
    return await onBehalfOf(network, work);
  } catch (error) {
    if (error instanceof FairLimiterFull) throw passwordsBusy();
    throw error;
  }
}

/** Has no cause: no store is away. */
function passwordsBusy(): ApiError {
  return new ApiError({
    code: 'service_unavailable',
    publicMessage: 'Too many sign-ins at the moment. Wait for the time in Retry-After, then try again.',
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
