import { setTimeout as sleep } from 'node:timers/promises';
import { callEnvelopeSchema, callIdSchema, errorBodySchema, type CallId, type ErrorCode } from '@outdial/contracts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';

/** What a client knows after one attempt to place a call. */
export type Answer =
  | { readonly kind: 'accepted'; readonly callId: CallId }
  | { readonly kind: 'refused'; readonly code: ErrorCode }
  /** The connection broke or could not be opened. */
  | { readonly kind: 'no_answer' };

export interface Attempt {
  readonly answer: Answer;
  readonly tookMs: number;
}

export interface NewCall {
  readonly toNumber: string;
  readonly maxDurationSeconds?: number;
  readonly ringTimeoutSeconds?: number;
  /** Not before this time. */
  readonly scheduledFor?: Date;
  /** Calls a busy number again. */
  readonly retry?: { readonly maxAttempts: number; readonly afterSeconds: number };
}

/** Longer than any process is stopped: a client that gives up early would hide late effects. */
const PATIENCE_MS = 150_000;
const END_AGAIN_MS = 500;
/** A safety limit: a product that keeps rejecting must not block the other faults. */
export const GIVES_UP_AFTER_MS = 300_000;

/** Sends one create request. Never rejects: every failure is an answer as a client sees it. */
export async function createCall(apiUrl: string, account: Account, call: NewCall, key: string): Promise<Attempt> {
  const sentMs = performance.now();
  const answer = await send(apiUrl, account, call, key).catch((): Answer => ({ kind: 'no_answer' }));
  return { answer, tookMs: performance.now() - sentMs };
}

async function send(apiUrl: string, account: Account, call: NewCall, key: string): Promise<Answer> {
  const response = await fetch(`${apiUrl}/api/v1/outbound/calls`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey, 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({
      to_number: call.toNumber,
      agent_id: account.agentId,
      max_duration_seconds: call.maxDurationSeconds,
      ring_timeout_seconds: call.ringTimeoutSeconds,
      scheduled_for: call.scheduledFor,
      retry: call.retry && {
        max_attempts: call.retry.maxAttempts,
        on: ['busy'],
        after_seconds: [call.retry.afterSeconds],
      },
    }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const body: unknown = await response.json();
  if (response.status === 201)
    return { kind: 'accepted', callId: callIdSchema.parse(callEnvelopeSchema.parse(body).call.id) };
  return { kind: 'refused', code: errorBodySchema.parse(body).error.code };
}

/**
 * Requests the call's end until the API accepts the request; a busy machine rejects some. @returns the status code
 * @throws if no request is accepted for minutes
 */
export async function endCall(api: Pick<Service, 'url'>, account: Account, callId: string): Promise<number> {
  const deadlineMs = performance.now() + GIVES_UP_AFTER_MS;
  while (performance.now() < deadlineMs) {
    const status = await askForEnd(api.url, account, callId).catch(() => null);
    if (status !== null && status !== 503) return status;
    await sleep(END_AGAIN_MS);
  }
  throw new Error(`no API accepted the request to end call ${callId}`);
}

async function askForEnd(apiUrl: string, account: Account, callId: string): Promise<number> {
  const response = await fetch(`${apiUrl}/api/v1/outbound/calls/${callId}/end`, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey },
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  await response.arrayBuffer();
  return response.status;
}
