import { isPasswordQueueFull, onBehalfOf } from '@outdial/identity';
import { FairLimiterFull } from '@outdial/kernel';
import { ApiError } from '../http/api-error.ts';
import { networkOf } from '../http/network-of.ts';

const RETRY_AFTER_SECONDS = 2;

/**
 * Runs work on passwords. It is slow by design and any stranger can request it, so networks take turns. Rejects before
 * the work begins if the queue is full; that is not an attempt.
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
