export { delayAfter, TRIES } from './attempts/schedule.ts';
export { MAX_BODY_BYTES } from './body/bounded.ts';
export { bodyInVersion, formBody } from './body/form-body.ts';
export { endpointDisabledBody, testBody, type DisabledEndpoint } from './body/other-bodies.ts';
export type { CallWebhook } from './body/versions/2026-12-01.ts';
export { handOut, type HandedMessage, type HandedOut, type HandOutDeps } from './listeners/hand-out.ts';
export { heardAttempt, type ReportedResult } from './listeners/heard-attempt.ts';
export type { HeardDelivery, Hearing, Listening, ListenerStore } from './ports/listener-store.ts';
export {
  ATTEMPT_ERRORS,
  type AttemptError,
  type AttemptVerdict,
  type Claim,
  type ClaimedDelivery,
  type ClaimLimits,
  type DeliveryKey,
  type FinishedAttempt,
  type MessageFacts,
  type SentEndpointKind,
  type UnreadableMessage,
  type WebhookStore,
} from './ports/webhook-store.ts';
export {
  CONNECT_TIMEOUT_MS,
  SENDER_TIMINGS,
  type DeliveryTrace,
  type DeliveryTraces,
  type SenderObserver,
  type SenderTimings,
} from './sender/sender-deps.ts';
export { createWebhookSender, type WebhookSender } from './sender/webhook-sender.ts';
export { createSecret } from './signing/secret.ts';
export { sign, type SignatureHeaders, type ToSign } from './signing/sign.ts';
