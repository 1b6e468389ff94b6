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
  type WebhookStore,
} from './ports/webhook-store.ts';
