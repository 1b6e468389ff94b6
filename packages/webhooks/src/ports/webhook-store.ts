import type { Call, CallEvent, CampaignRecord } from '@outdial/calls';
import type {
  AccountId,
  CallId,
  CallWebhookType,
  CampaignWebhookType,
  WebhookApiVersion,
  WebhookEndpointId,
  WebhookMessageId,
  WebhookType,
} from '@outdial/contracts';
import type { TraceParent } from '@outdial/kernel';

/** `standing`: an endpoint of the account. `per_call`: the URLs that requests to place calls name. */
export type SentEndpointKind = 'standing' | 'per_call';

export interface DeliveryKey {
  readonly messageId: WebhookMessageId;
  readonly endpointId: WebhookEndpointId;
}

/** A delivery whose next attempt this process makes. The attempt is counted before it is made. */
export interface ClaimedDelivery extends DeliveryKey {
  readonly accountId: AccountId;
  readonly laneId: string;
  readonly kind: SentEndpointKind;
  readonly url: string;
  readonly type: WebhookType;
  readonly occurredAtMs: number;
  readonly callId: CallId | null;
  /** Of the call, if it was traced. */
  readonly traceParent: TraceParent | null;
  /** Counts from 1 and only rises, also after a resend. */
  readonly attempt: number;
  /** Of this delivery, after this attempt. A resend and a replay begin with all tries again. */
  readonly triesLeft: number;
  /** Whether the lane's last attempt succeeded, or none was made yet. */
  readonly laneIsHealthy: boolean;
  readonly apiVersion: WebhookApiVersion;
  /** Sealed for the purpose `webhook secret`, bound to the endpoint's id. */
  readonly sealedSecret: Uint8Array;
  /** While a rotation overlaps. */
  readonly previousSealedSecret: Uint8Array | null;
  /** Kept at the first attempt; null until then. */
  readonly body: string | null;
}

/** What a body is formed from. */
export type MessageFacts = CallMessageFacts | CampaignMessageFacts;

export interface CallMessageFacts {
  readonly messageId: WebhookMessageId;
  readonly type: CallWebhookType;
  readonly occurredAtMs: number;
  readonly event: CallEvent;
  /** Never older than the event. */
  readonly call: Call;
}

export interface CampaignMessageFacts {
  readonly messageId: WebhookMessageId;
  readonly type: CampaignWebhookType;
  readonly occurredAtMs: number;
  /** Never older than what happened. */
  readonly campaign: CampaignRecord;
  readonly readAtMs: number;
}

/** A message whose body cannot be formed: what it is about cannot be read. */
export interface UnreadableMessage {
  readonly messageId: WebhookMessageId;
  readonly error: unknown;
}

export const ATTEMPT_ERRORS = [
  'timeout',
  'dns',
  'refused_address',
  'connect',
  'tls',
  'reset',
  'too_large',
  'status',
  /** The secret cannot be opened: nothing was sent. */
  'secret',
  /** The body cannot be formed: nothing was sent. */
  'body',
] as const;
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** What follows from an attempt. Times are relative, because Postgres's clock decides when a delivery is due. */
export type AttemptVerdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueInMs: number; readonly laneDelayMs: number }
  | { readonly kind: 'failed'; readonly laneDelayMs: number }
  /** The receiver answered 410: a standing endpoint is disabled; for a call's URL this delivery alone fails. */
  | { readonly kind: 'gone' };

export interface FinishedAttempt extends DeliveryKey {
  readonly attempt: number;
  readonly laneId: string;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: AttemptError | null;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly responseBody: string | null;
  readonly verdict: AttemptVerdict;
}

/** How much one process may claim at once. */
export interface ClaimLimits {
  readonly freeSlots: number;
  /** Of `freeSlots`: for lanes whose last attempt succeeded. */
  readonly freeSlotsForHealthyLanes: number;
  /** What one account may have in flight in this process, and what each has. Without it accounts are not limited. */
  readonly perAccount?: { readonly most: number; readonly inFlight: ReadonlyMap<AccountId, number> };
}

export interface Claim {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Lanes with pending deliveries that this round did not look at: claim again at once, it goes on with them. */
  readonly hasMoreLanes: boolean;
  /** Until a lane of this round may have something due, by its schedule or its rate. Null: not known. */
  readonly nextDueInMs: number | null;
}

/** What the sender needs of Postgres. Each method is one round trip. */
export interface WebhookStore {
  /** Deliveries that are due, within the limits of their lanes. None while webhooks are paused. */
  claim(limits: ClaimLimits): Promise<Claim>;
  /**
   * Of the messages that have no body yet. A message whose call, campaign or event is gone is missing. Rejects only while the store is
   * away.
   */
  factsOf(messageIds: readonly WebhookMessageId[]): Promise<readonly (MessageFacts | UnreadableMessage)[]>;
  /**
   * Keeps each body unless the message has one, and returns the body that it has now, by message id. A body that the store
   * does not take is missing. Rejects only while the store is away.
   */
  keepBodies(
    bodies: readonly { readonly messageId: WebhookMessageId; readonly body: string }[],
  ): Promise<ReadonlyMap<WebhookMessageId, string>>;
  /** Claims whose attempt was not made: they are due again in seconds, with the try that the claim took. */
  release(claims: readonly Pick<ClaimedDelivery, 'messageId' | 'endpointId' | 'attempt'>[]): Promise<void>;
  /** Group-committed. An attempt that is no longer the delivery's last changes nothing, unless it delivered. */
  finish(attempt: FinishedAttempt): Promise<void>;
  /** Drops what is pending for endpoints that are gone or disabled, some rows at a time. @returns how many */
  dropOrphans(): Promise<number>;
  /** Disables endpoints that have failed for too long, and writes notices. @returns how many */
  disableFailing(): Promise<number>;
  /** Advances running replays by one step each. @returns whether any has more to do */
  advanceReplays(): Promise<boolean>;
  /** Deletes what is older than the retention, some rows at a time. @returns how many */
  deleteExpired(retentionDays: number): Promise<number>;
  /**
   * For metrics. `pending` stops at 100,000. `oldestDueSeconds` leaves out lanes that fail, have a rate or are delayed: they are
   * late because of their receivers.
   */
  backlog(): Promise<{ readonly pending: number; readonly oldestDueSeconds: number; readonly disabled: number }>;
}
