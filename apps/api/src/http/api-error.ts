import type { DashboardErrorCode, ErrorCode, InvalidParam } from '@outdial/contracts';
import { CodedError, type CodedErrorInput } from '@outdial/kernel';
import type { ReplyHeaders } from './reply.ts';

/** Error codes of the public interface and of the dashboard. */
export type ApiErrorCode = ErrorCode | DashboardErrorCode;

interface ApiErrorInput extends CodedErrorInput<ApiErrorCode> {
  readonly headers?: ReplyHeaders;
}

/** A rejection that the client receives, with its headers. */
export class ApiError extends CodedError<ApiErrorCode> {
  readonly headers: ReplyHeaders;

  constructor(input: ApiErrorInput) {
    super(input);
    this.name = 'ApiError';
    this.headers = { ...retryAfter(input.retryAfterSeconds), ...input.headers };
  }
}

function retryAfter(seconds: number | undefined): ReplyHeaders {
  return seconds === undefined ? {} : { 'Retry-After': String(seconds) };
}

/** More entries do not help a client, and a body of a thousand unknown fields would produce an even larger answer. */
const MAX_DETAILS = 20;
const MAX_PARAM_LENGTH = 100;

/** `invalid_request`, with every wrong parameter and what it must be. */
export function invalidRequest(params: readonly InvalidParam[]): ApiError {
  const details = params.slice(0, MAX_DETAILS).map(({ param, message }) => ({
    param: param.length > MAX_PARAM_LENGTH ? `${param.slice(0, MAX_PARAM_LENGTH)}…` : param,
    message,
  }));
  const [first] = details;
  const summary = details.map(({ param, message }) => `${param} ${message}`).join('; ');
  return new ApiError({
    code: 'invalid_request',
    publicMessage: `The request is not valid: ${summary}.`,
    ...(first ? { param: first.param } : {}),
    details,
  });
}

/** A store is away, and repeating the request is safe. `cause` only goes to the log. */
export function serviceUnavailable(cause: unknown): ApiError {
  return new ApiError({
    code: 'service_unavailable',
    publicMessage: 'The service is temporarily unavailable. Retry in a moment: repeating this request is safe.',
    retryAfterSeconds: 1,
    cause,
  });
}

/** A store did not confirm a change in time, so it may have been made. `cause` only goes to the log. */
export function changeUnconfirmed(cause: unknown): ApiError {
  return new ApiError({
    code: 'service_unavailable',
    publicMessage:
      'The service did not confirm the change in time: it may have been made. Check that before you repeat the request.',
    retryAfterSeconds: 1,
    cause,
  });
}

/** For a path without a route. */
export function nothingHere(): ApiError {
  return new ApiError({
    code: 'not_found',
    publicMessage: 'No resource exists at this path. Check the path against the documentation.',
  });
}
