import { EgressError } from '@outdial/egress';
import { openSecret } from '@outdial/secrets';
import { loggedBody, loggedHeaders } from '../attempts/response-log.ts';
import { attemptErrorOf, isSuccess, judge, type AttemptOutcome } from '../attempts/verdict.ts';
import { bodyInVersion } from '../body/form-body.ts';
import type { ClaimedDelivery, FinishedAttempt } from '../ports/webhook-store.ts';
import { sign } from '../signing/sign.ts';
import type { MessageBody, ReadyDelivery } from './read-bodies.ts';
import type { SenderDeps } from './sender-deps.ts';

/** Read so that the connection stays usable; of this the log keeps the beginning. */
const MAX_RESPONSE_BYTES = 16_384;

type AttemptDeps = Pick<
  SenderDeps,
  'egress' | 'secretKey' | 'version' | 'observer' | 'clock' | 'logger' | 'random' | 'timings'
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
  const { outcome, responseHeaders, responseBody } = await send(deps, delivery, body, signal);
  const durationMs = Math.round(clock.monotonicMs() - beganAtMs);
  const verdict = judge(outcome, { kind, triesLeft, nowMs: clock.nowMs(), random: random() });
  return { ...common, durationMs, responseHeaders, responseBody, verdict, ...shown(outcome) };
}

const NO_RESPONSE = { responseHeaders: {}, responseBody: null } as const;

function shown(outcome: AttemptOutcome): Pick<FinishedAttempt, 'status' | 'error'> {
  if (outcome.kind === 'error') return { status: null, error: outcome.error };
  return { status: outcome.status, error: isSuccess(outcome.status) ? null : 'status' };
}

async function send(
  deps: AttemptDeps,
  delivery: ClaimedDelivery,
  body: Exclude<MessageBody, { readonly kind: 'gone' }>,
  signal: AbortSignal,
): Promise<Response> {
  const { egress, version, clock, timings } = deps;
  const { messageId, url, apiVersion } = delivery;
  const sent = bodyFor(deps, delivery, body);
  if (sent === null) return { ...NO_RESPONSE, outcome: { kind: 'error', error: 'body' } };
  const secrets = openSecrets(deps, delivery);
  if (secrets === null) return { ...NO_RESPONSE, outcome: { kind: 'error', error: 'secret' } };
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Outdial-Webhooks/${version}`,
    'outdial-version': apiVersion,
    ...sign({ messageId, atMs: clock.nowMs(), body: sent, secrets }),
  };
  const { requestTimeoutMs: timeoutMs } = timings;
  const request = { scope: 'allow_list', method: 'POST', url, headers, body: sent, timeoutMs, signal } as const;
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

/** In the version of the endpoint. Null if it cannot be formed: a later version of this service may have written the row. */
function bodyFor(
  { logger }: AttemptDeps,
  { messageId, endpointId, apiVersion }: ClaimedDelivery,
  body: Exclude<MessageBody, { readonly kind: 'gone' }>,
): string | null {
  try {
    if (body.kind === 'unreadable') throw body.error;
    return bodyInVersion(body.text, apiVersion);
  } catch (error) {
    logger.error(
      { event: 'webhook.body_failed', err: error, messageId, endpointId },
      'the body of a webhook cannot be formed: nothing is sent, and it is tried again later',
    );
    return null;
  }
}

/** The newest first. Null if it does not open: a receiver would reject what another secret signed. */
function openSecrets(
  { secretKey, logger }: AttemptDeps,
  { endpointId, sealedSecret, previousSealedSecret }: ClaimedDelivery,
): readonly string[] | null {
  const sealedFor = { purpose: 'webhook secret', owner: endpointId } as const;
  const current = openSecret(secretKey, sealedSecret, sealedFor);
  if (current === undefined) {
    logger.error(
      { event: 'webhook.secret_unreadable', endpointId },
      'the secret of a webhook endpoint cannot be opened: nothing is sent to it',
    );
    return null;
  }
  const previous = previousSealedSecret && openSecret(secretKey, previousSealedSecret, sealedFor);
  return previous ? [current, previous] : [current];
}
