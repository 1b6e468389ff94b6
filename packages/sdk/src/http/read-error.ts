import {
  AuthenticationError,
  CapacityExceededError,
  ConflictError,
  InsufficientFundsError,
  InvalidRequestError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitedError,
  ServerError,
  ServiceUnavailableError,
  type ErrorFacts,
  type OutdialError,
} from '../errors.ts';

/** The error that an answer says. A proxy in front may answer with anything: then `code` is `http_<status>`. */
export async function readError(response: Response, nowMs: number): Promise<OutdialError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const body = errorIn(text);
  const code = textOf(body['code']) ?? `http_${status}`;
  const facts: ErrorFacts = {
    code,
    message: textOf(body['message']) ?? `The server answered with status ${status}.`,
    status,
    param: textOf(body['param']),
    details: body['details'],
    requestId: textOf(body['request_id']) ?? headers.get('X-Request-Id'),
    retryAfterSeconds: secondsIn(headers.get('Retry-After'), nowMs),
  };
  return new (familyOf(status, code))(facts);
}

function familyOf(status: number, code: string): new (facts: ErrorFacts) => OutdialError {
  if (code === 'outcome_unknown') return OutcomeUnknownError;
  if (code === 'capacity_exceeded') return CapacityExceededError;
  switch (status) {
    case 401:
      return AuthenticationError;
    case 402:
      return InsufficientFundsError;
    case 403:
      return PermissionError;
    case 404:
      return NotFoundError;
    case 409:
      return ConflictError;
    case 429:
      return RateLimitedError;
    case 408:
    case 502:
    case 503:
    case 504:
      return ServiceUnavailableError;
    default:
      return status >= 500 ? ServerError : InvalidRequestError;
  }
}

function errorIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || !('error' in body)) return {};
    return typeof body.error === 'object' && body.error !== null ? { ...body.error } : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Seconds, or the time of a date (RFC 9110 section 10.2.3). */
function secondsIn(header: string | null, nowMs: number): number | null {
  if (header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, (atMs - nowMs) / 1_000);
}
