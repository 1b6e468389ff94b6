// Told by their form and not by their class: whoever keeps no recordings in a bucket shall not load the SDK for it.

/** The bucket cannot be asked now. */
export class RecordingStoreAway extends Error {
  constructor(cause: unknown) {
    super('the store of the recordings is away', { cause });
    this.name = 'RecordingStoreAway';
  }
}

/** There is no such object. A bucket that is missing says the same to HEAD. */
export function isNoSuchObject(error: unknown): boolean {
  return error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name);
}

/**
 * Whether the store is away or overloaded, rather than that it refused the request: no answer came, or one of 5xx, or
 * one that asks to slow down.
 */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status === undefined) return isNetworkError(error);
  return status >= 500 || status === 429 || error.name === 'SlowDown';
}

/** Of the store's answer; undefined for an error that is not one. */
function statusOf(error: Error): number | undefined {
  if (!('$metadata' in error) || typeof error.$metadata !== 'object' || error.$metadata === null) return undefined;
  const { $metadata: answer } = error;
  return 'httpStatusCode' in answer && typeof answer.httpStatusCode === 'number' ? answer.httpStatusCode : undefined;
}

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
]);

function isNetworkError(error: Error): boolean {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return true;
  return 'code' in error && typeof error.code === 'string' && NETWORK_CODES.has(error.code);
}
