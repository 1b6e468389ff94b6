import { ConnectionError, ServiceUnavailableError, type OutdialError } from '../errors.ts';

const MAX_RETRIES = 3;
const FIRST_PAUSE_MS = 500;
const LONGEST_RETRY_AFTER_SECONDS = 30;

/**
 * How long to wait before the request is repeated. Null: it is not.
 *
 * @param attempt how often it was repeated already.
 * @param random from 0 to 1: clients that failed together do not come back together.
 */
export function retryPauseMs(failure: OutdialError, attempt: number, random: number): number | null {
  if (attempt >= MAX_RETRIES || !mayPass(failure)) return null;
  const askedSeconds = failure.retryAfterSeconds ?? 0;
  if (askedSeconds > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(askedSeconds * 1_000, random * FIRST_PAUSE_MS * 2 ** attempt);
}

/** Whether the same request may succeed a moment later. */
function mayPass(failure: OutdialError): boolean {
  if (failure instanceof ConnectionError || failure instanceof ServiceUnavailableError) return true;
  // An earlier attempt of this request may still be under way.
  if (failure.code === 'idempotency_in_progress') return true;
  return failure.code === 'rate_limited' && !isLimitOfThings(failure.details);
}

/** So many keys, agents or credentials: that does not pass by itself. */
function isLimitOfThings(details: unknown): boolean {
  return typeof details === 'object' && details !== null && 'thing' in details;
}
