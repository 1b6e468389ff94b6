import type { ErrorCode } from '@outdial/contracts';
import { timestamp } from '@outdial/presentation';
import { ApiError } from '../../http/api-error.ts';

const NOT_FOUND = {
  webhook_endpoint_not_found: {
    param: 'endpoint_id',
    publicMessage: 'Your account has no webhook endpoint with this id. List the endpoints to find it.',
  },
  webhook_message_not_found: {
    param: 'message_id',
    publicMessage:
      'Your account has no webhook message with this id, or it is older than the retention. List the deliveries of an endpoint to find it.',
  },
  webhook_listener_not_found: {
    param: 'listener_id',
    publicMessage:
      'Your account has no listener with this id, or it has expired: it ends two minutes after its last stream. Create another one.',
  },
  replay_not_found: {
    param: 'replay_id',
    publicMessage: 'The endpoint has no replay with this id. Use the id that the creation of the replay returned.',
  },
} as const satisfies Partial<Record<ErrorCode, { readonly param: string; readonly publicMessage: string }>>;

export function notFound(code: keyof typeof NOT_FOUND): ApiError {
  return new ApiError({ code, ...NOT_FOUND[code] });
}

/** The same for what never existed and for what belongs to another account: a client cannot tell them apart. */
export function found<Value>(value: Value | null, code: keyof typeof NOT_FOUND): Value {
  if (value === null) throw notFound(code);
  return value;
}

export function endpointDisabled(): ApiError {
  return new ApiError({
    code: 'webhook_endpoint_disabled',
    publicMessage: 'This endpoint is disabled and receives nothing. Enable it first.',
    param: 'endpoint_id',
  });
}

export function disabledByOperator(): ApiError {
  return new ApiError({
    code: 'webhook_endpoint_disabled',
    publicMessage: 'An operator disabled this endpoint, and only an operator can enable it. Ask your operator.',
    param: 'state',
    details: { reason: 'operator' },
  });
}

export function endpointDraining(): ApiError {
  return new ApiError({
    code: 'webhook_endpoint_draining',
    publicMessage:
      'What was pending when this endpoint was disabled is still being dropped. Enable it again after Retry-After.',
    param: 'state',
    retryAfterSeconds: 2,
  });
}

export function resendLimitReached(max: number): ApiError {
  return new ApiError({
    code: 'resend_limit_reached',
    publicMessage: `This message was sent to this endpoint ${max} times, which is the limit. Read its body with GET /webhook-messages/{message_id} instead.`,
    details: { max },
  });
}

export function rotationInProgress(previousUntilMs: number | null): ApiError {
  return new ApiError({
    code: 'rotation_in_progress',
    publicMessage:
      'The previous secret still signs. Rotate again once it has ended, or with overlap_hours 0, which ends both secrets at once.',
    details: { previous_until: previousUntilMs === null ? null : timestamp(previousUntilMs) },
  });
}

export function replayInProgress(): ApiError {
  return new ApiError({
    code: 'replay_in_progress',
    publicMessage: 'A replay to this endpoint is under way. Wait for its end, or cancel it.',
    param: 'endpoint_id',
  });
}
