import type { DashboardErrorBody } from '@outdial/contracts';
import { DeadlineExceeded } from '@outdial/kernel';
import { ApiError, serviceUnavailable, type ApiErrorCode } from './api-error.ts';

/** The single table of HTTP statuses by error code. */
const STATUS: Readonly<Record<ApiErrorCode, number>> = {
  missing_api_key: 401,
  invalid_api_key: 401,
  scope_missing: 403,
  rate_limited: 429,
  invalid_request: 400,
  body_too_large: 413,
  unsupported_media_type: 415,
  agent_access_denied: 403,
  provider_not_configured: 422,
  model_not_priced: 422,
  from_number_not_allowed: 403,
  no_outbound_number: 403,
  destination_not_allowed: 403,
  suppressed: 403,
  outside_calling_window: 403,
  frequency_capped: 403,
  insufficient_funds: 402,
  capacity_exceeded: 429,
  too_many_scheduled: 429,
  no_trunk_available: 503,
  idempotency_key_reused: 422,
  idempotency_in_progress: 409,
  service_unavailable: 503,
  outcome_unknown: 503,
  call_not_found: 404,
  call_not_live: 409,
  instruction_not_possible: 409,
  agent_not_found: 404,
  version_conflict: 409,
  suppression_not_found: 404,
  opt_out_stands: 409,
  too_many_suppressions: 409,
  campaign_not_found: 404,
  campaign_state: 409,
  campaign_empty: 409,
  upload_in_progress: 409,
  too_many_campaigns: 429,
  too_many_contacts: 409,
  upload_not_found: 404,
  upload_failed: 409,
  lines_refused: 400,
  recording_not_available: 404,
  credential_not_found: 404,
  credential_exists: 409,
  secret_not_found: 404,
  secret_key_missing: 409,
  try_not_found: 404,
  evaluation_not_found: 404,
  try_over: 409,
  try_medium_differs: 409,
  try_not_possible: 422,
  evaluation_not_possible: 422,
  webhook_endpoint_not_found: 404,
  webhook_endpoint_disabled: 409,
  webhook_endpoint_draining: 409,
  webhook_message_not_found: 404,
  webhook_listener_not_found: 404,
  too_many_endpoints: 409,
  rotation_in_progress: 409,
  resend_limit_reached: 409,
  replay_in_progress: 409,
  replay_not_found: 404,
  range_not_satisfiable: 416,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  expectation_failed: 417,
  headers_too_large: 431,
  internal_error: 500,
  not_signed_in: 401,
  sign_in_failed: 401,
  sign_up_closed: 403,
  origin_not_allowed: 403,
  too_many_attempts: 429,
  wrong_password: 403,
  email_taken: 409,
  link_not_valid: 410,
  email_not_verified: 403,
  invitation_for_another_address: 403,
  account_not_found: 404,
  owner_only: 403,
  operator_only: 403,
  last_owner: 409,
  member_not_found: 404,
  phone_number_not_found: 404,
  api_key_not_found: 404,
  worker_not_found: 404,
  number_exists: 409,
  trunk_not_found: 404,
  trunk_exists: 409,
  rates_not_valid: 422,
  user_not_found: 404,
  own_user: 409,
  request_not_found: 404,
  too_many_open_requests: 409,
};

export function statusOf(code: ApiErrorCode): number {
  return STATUS[code];
}

/** The error as the client sees it. Any error other than an API error is a defect, and its text stays internal. */
export function apiErrorOf(error: unknown, isStoreUnavailable: (error: unknown) => boolean): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DeadlineExceeded || isStoreUnavailable(error)) return serviceUnavailable(error);
  return new ApiError({
    code: 'internal_error',
    publicMessage: 'An internal error occurred. Retry the request; if the error persists, report its request_id.',
    cause: error,
  });
}

export function errorBody(apiError: ApiError, requestId: string): DashboardErrorBody {
  return {
    error: {
      code: apiError.code,
      message: apiError.publicMessage,
      ...(apiError.param === undefined ? {} : { param: apiError.param }),
      ...(apiError.details === undefined ? {} : { details: apiError.details }),
      request_id: requestId,
    },
  };
}
