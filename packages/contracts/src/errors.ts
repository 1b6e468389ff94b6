import { z } from 'zod';

/** Every code an error response may carry. The API maps each to its status in one table. */
export const ERROR_CODES = [
  'missing_api_key',
  'invalid_api_key',
  'rate_limited',
  'invalid_request',
  'body_too_large',
  'unsupported_media_type',
  'agent_access_denied',
  'from_number_not_allowed',
  'no_outbound_number',
  'destination_not_allowed',
  'insufficient_funds',
  'capacity_exceeded',
  'idempotency_key_reused',
  'idempotency_in_progress',
  'service_unavailable',
  'outcome_unknown',
  'call_not_found',
  'recording_not_available',
  'range_not_satisfiable',
  'not_found',
  'method_not_allowed',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export const errorBodySchema = z.strictObject({
  error: z.strictObject({
    code: z.enum(ERROR_CODES),
    message: z.string(),
    param: z.string().optional(),
    details: z.unknown().optional(),
    request_id: z.string(),
  }),
});

export type ErrorBody = z.output<typeof errorBodySchema>;

/** One entry of `invalid_request`'s details. `param` is a dotted path: `variables.name`. */
export interface InvalidParam {
  readonly param: string;
  readonly message: string;
}
