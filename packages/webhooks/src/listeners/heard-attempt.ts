import { loggedBody, loggedHeaders } from '../attempts/response-log.ts';
import { isSuccess } from '../attempts/verdict.ts';
import type { AttemptError, DeliveryKey, FinishedAttempt } from '../ports/webhook-store.ts';

/** What a receiver behind a listener did, as the program that listens reports it. */
export interface ReportedResult extends DeliveryKey {
  readonly attempt: number;
  /** Null: there was no response. */
  readonly status: number | null;
  /** Why there was none. */
  readonly error: AttemptError | null;
  readonly durationMs: number;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
}

/**
 * A reported result as the attempt that is logged. Whatever it is, the delivery is over: while a program is written, a
 * repetition after minutes would only hold up what follows.
 */
export function heardAttempt(result: ReportedResult, nowMs: number): FinishedAttempt {
  const { messageId, endpointId, attempt, status, error, durationMs, responseHeaders, responseBody } = result;
  const isDelivered = status !== null && isSuccess(status);
  const headers = Object.entries(responseHeaders).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    messageId,
    endpointId,
    laneId: endpointId,
    attempt,
    startedAtMs: nowMs - durationMs,
    durationMs,
    status,
    error: status === null ? error : isDelivered ? null : 'status',
    responseHeaders: loggedHeaders(Object.fromEntries(headers)),
    responseBody: responseBody === null ? null : loggedBody(Buffer.from(responseBody)),
    verdict: isDelivered ? { kind: 'delivered' } : { kind: 'failed', laneDelayMs: 0 },
  };
}
