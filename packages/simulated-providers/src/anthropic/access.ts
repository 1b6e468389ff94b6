import { faultOf } from '../faults.ts';
import type { Address } from '../http/endpoints.ts';
import { isSimulatedKey, type Refusal } from '../http/refusal.ts';

const VERSION = '2023-06-01';
const TYPES = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  503: 'overloaded_error',
} as const;

/** An error of Anthropic's API. Source: https://docs.claude.com/en/api/errors */
export function anthropicRefusal(status: keyof typeof TYPES, message: string): Refusal {
  const body = { type: 'error', error: { type: TYPES[status], message }, request_id: 'req_simulated' };
  return { status, body, ...(status === 429 ? { retryAfterSeconds: 1 } : {}) };
}

/** `model`: null where none is asked for. */
export function anthropicAccess({ headers }: Address, model: string | null): Refusal | null {
  const key = headers['x-api-key'];
  const fault = model === null ? null : faultOf(model);
  const status = fault?.kind === 'status' ? fault.status : null;
  if (typeof key !== 'string' || !isSimulatedKey(key) || status === 401) {
    return anthropicRefusal(401, 'invalid x-api-key');
  }
  if (headers['anthropic-version'] !== VERSION) {
    return anthropicRefusal(400, 'anthropic-version: header is required');
  }
  if (status === 429) return anthropicRefusal(429, 'This request would exceed your rate limit.');
  if (status === 503) return anthropicRefusal(503, 'Overloaded');
  return null;
}
