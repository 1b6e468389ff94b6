// Errors are recognized by shape, not by class: installations without a bucket must not load the SDK.

/** The bucket does not respond now. */
export class RecordingStoreUnavailable extends Error {
  constructor(cause: unknown) {
    super('the recording store is unavailable', { cause });
    this.name = 'RecordingStoreUnavailable';
  }
}

/** The object does not exist. To HEAD, a missing bucket looks the same. */
export function isNoSuchObject(error: unknown): boolean {
  return error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name);
}

/**
 * Whether the store is unavailable or overloaded, rather than rejecting the request: no response, a 5xx, or a request to
 * slow down.
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (status === undefined) return isNetworkError(error);
  return status >= 500 || status === 429 || error.name === 'SlowDown';
}

/** The response's status; undefined for an error without a response. */
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
