export interface ErrorFacts {
  /** `insufficient_funds` and the like; `connection_failed` or `timeout` without an answer. */
  readonly code: string;
  readonly message: string;
  /** The status of the answer. Null: there was none. */
  readonly status: number | null;
  /** The wrong parameter, as a dotted path. */
  readonly param?: string | undefined;
  /** Depends on the code. */
  readonly details?: unknown;
  /** Identifies the request in the service's log. */
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
  readonly cause?: unknown;
}

/** Every error of this client, except those of a signal that you abort. */
export class OutdialError extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly param: string | undefined;
  readonly details: unknown;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /**
   * Of a call that could not be placed. Place it again under this key, and it is never dialed twice. Null: the request had
   * none.
   */
  idempotencyKey: string | null = null;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.code = facts.code;
    this.status = facts.status;
    this.param = facts.param;
    this.details = facts.details;
    this.requestId = facts.requestId ?? null;
    this.retryAfterSeconds = facts.retryAfterSeconds ?? null;
  }
}

/** No answer arrived. */
export class ConnectionError extends OutdialError {}
/** No answer arrived in time. */
export class TimeoutError extends ConnectionError {}

/** 400, 413, 415, 422 and every other status below 500 without a class: the request is wrong. */
export class InvalidRequestError extends OutdialError {}
/** 401: the key is missing, unknown, revoked or expired. */
export class AuthenticationError extends OutdialError {}
/** 402: the wallet does not cover what the call reserves. */
export class InsufficientFundsError extends OutdialError {}
/** 403: the key or the account may not do this. */
export class PermissionError extends OutdialError {}
/** 404. */
export class NotFoundError extends OutdialError {}
/** 409: it contradicts what is there. */
export class ConflictError extends OutdialError {}
/** 429 `rate_limited` or `too_many_scheduled`: too many requests, or another limit of the key or the account. */
export class RateLimitedError extends OutdialError {}
/** 429 `capacity_exceeded`: all slots are in use. Place the call later. */
export class CapacityExceededError extends OutdialError {}
/** 408, 502, 503 and 504: the service is away for a moment. What the request asked for may have happened. */
export class ServiceUnavailableError extends OutdialError {}
/** 503 `outcome_unknown`: the call was accepted, or not. `details.call_id` names it; its key can be repeated. */
export class OutcomeUnknownError extends ServiceUnavailableError {}
/** Every other status from 500 on: a fault of the service. Its operator finds it by `requestId`. */
export class ServerError extends OutdialError {}

/** A webhook that was not signed with the secret, or not in the last five minutes. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}
