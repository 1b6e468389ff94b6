import { faultOf } from '../faults.ts';
import type { Address } from '../http/endpoints.ts';
import { isSimulatedKey, type Refusal } from '../http/refusal.ts';

const STATUSES = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
} as const;

/** An error of Google's API. Source: https://ai.google.dev/gemini-api/docs/troubleshooting */
export function googleRefusal(
  status: keyof typeof STATUSES,
  message: string,
  details: readonly object[] = [],
): Refusal {
  const error = { code: status, message, status: STATUSES[status], ...(details.length === 0 ? {} : { details }) };
  return { status, body: { error } };
}

/** `model`: null where none is asked for. */
export function googleAccess({ headers }: Address, model: string | null): Refusal | null {
  const key = headers['x-goog-api-key'];
  if (key === undefined) return googleRefusal(403, "Method doesn't allow unregistered callers.");
  if (typeof key !== 'string' || !isSimulatedKey(key)) {
    const type = 'type.googleapis.com/google.rpc.ErrorInfo';
    return googleRefusal(400, 'API key not valid. Please pass a valid API key.', [
      { '@type': type, reason: 'API_KEY_INVALID', domain: 'googleapis.com' },
    ]);
  }
  const fault = model === null ? null : faultOf(model);
  if (fault?.kind !== 'status') return null;
  if (fault.status === 401) return googleRefusal(401, 'The request has invalid authentication credentials.');
  if (fault.status === 429) {
    // Google names the pause here, and in no header.
    const pause = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '1s' };
    return googleRefusal(429, 'You exceeded your current quota.', [pause]);
  }
  return googleRefusal(503, 'The model is overloaded. Please try again later.');
}
