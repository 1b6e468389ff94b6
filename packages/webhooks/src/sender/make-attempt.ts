import { EgressError } from '@outdial/egress';
import { loggedBody, loggedHeaders } from '../attempts/response-log.ts';
import { attemptErrorOf, isSuccess, judge, type AttemptOutcome } from '../attempts/verdict.ts';
import type { ClaimedDelivery, FinishedAttempt } from '../ports/webhook-store.ts';
import type { MessageBody, ReadyDelivery } from './read-bodies.ts';
import type { DeliveryTrace, SenderDeps } from './sender-deps.ts';
import { signedRequest } from './signed-request.ts';

/** Read so that the connection stays usable; of this the log keeps the beginning. */
const MAX_RESPONSE_BYTES = 16_384;

type AttemptDeps = Pick<
  SenderDeps,
  'egress' | 'secretKey' | 'version' | 'observer' | 'clock' | 'logger' | 'random' | 'timings' | 'traces'
>;
type Response = Pick<FinishedAttempt, 'responseHeaders' | 'responseBody'> & { readonly outcome: AttemptOutcome };

/** Sends a delivery once. Never rejects: whatever happens is the outcome of the attempt. */
export async function makeAttempt(
  deps: AttemptDeps,
  { delivery, body }: ReadyDelivery,
  signal: AbortSignal,
): Promise<FinishedAttempt> {
  const { clock, random, observer } = deps;
  const { messageId, endpointId, laneId, kind, attempt, triesLeft } = delivery;
  const startedAtMs = clock.nowMs();
  const beganAtMs = clock.monotonicMs();
  const common = { messageId, endpointId, laneId, attempt, startedAtMs };
  if (body.kind === 'gone') {
    const verdict = { kind: 'failed', laneDelayMs: 0 } as const;
    return { ...common, ...NO_RESPONSE, durationMs: 0, status: null, error: 'body', verdict };
  }
  if (attempt === 1) observer.firstAttempt(Math.max(0, startedAtMs - delivery.occurredAtMs));
  const trace = deps.traces?.begin(delivery) ?? null;
  const { outcome, responseHeaders, responseBody } = await send(deps, { delivery, body, trace }, signal);
  const durationMs = Math.round(clock.monotonicMs() - beganAtMs);
  const verdict = judge(outcome, { kind, triesLeft, nowMs: clock.nowMs(), random: random() });
  const seen = shown(outcome);
  trace?.ended({ ...seen, verdict });
  return { ...common, durationMs, responseHeaders, responseBody, verdict, ...seen };
}

const NO_RESPONSE = { responseHeaders: {}, responseBody: null } as const;

function shown(outcome: AttemptOutcome): Pick<FinishedAttempt, 'status' | 'error'> {
  if (outcome.kind === 'error') return { status: null, error: outcome.error };
  return { status: outcome.status, error: isSuccess(outcome.status) ? null : 'status' };
}

interface Sent {
  readonly delivery: ClaimedDelivery;
  readonly body: Exclude<MessageBody, { readonly kind: 'gone' }>;
  readonly trace: DeliveryTrace | null;
}

async function send(deps: AttemptDeps, { delivery, body, trace }: Sent, signal: AbortSignal): Promise<Response> {
  const { egress, timings } = deps;
  const signed = signedRequest(deps, delivery, body);
  if (signed.kind === 'unsigned') return { ...NO_RESPONSE, outcome: { kind: 'error', error: signed.error } };
  const { requestTimeoutMs: timeoutMs } = timings;
  const request = {
    scope: 'allow_list',
    method: 'POST',
    url: delivery.url,
    body: signed.request.body,
    headers: { ...signed.request.headers, ...trace?.headers },
    timeoutMs,
    signal,
  } as const;
  try {
    const response = await egress.request({ ...request, maxResponseBytes: MAX_RESPONSE_BYTES });
    return {
      responseHeaders: loggedHeaders(response.headers),
      responseBody: loggedBody(response.body),
      outcome: { kind: 'response', status: response.status, retryAfter: response.headers['retry-after'] },
    };
  } catch (error) {
    const code = error instanceof EgressError ? error.code : 'connection_lost';
    return { ...NO_RESPONSE, outcome: { kind: 'error', error: attemptErrorOf(code) } };
  }
}
