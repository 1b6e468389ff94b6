import type { EgressClient } from '@outdial/egress';
import type { Clock, Logger } from '@outdial/kernel';
import type { SecretKey } from '@outdial/secrets';
import type { AttemptVerdict, ClaimedDelivery, FinishedAttempt, WebhookStore } from '../ports/webhook-store.ts';

/** In milliseconds. */
export interface SenderTimings {
  readonly roundEveryMs: number;
  /** Between rounds that hints and finished attempts bring. */
  readonly roundGapMs: number;
  /** From the look-up of the name to the last byte of the response that is read. */
  readonly requestTimeoutMs: number;
  /** What requests in flight have when the sender stops. */
  readonly stopWithinMs: number;
  readonly finishAgainEveryMs: number;
  /** Request and repetitions together must be shorter than a claim, which lasts 60 s. */
  readonly finishWithinMs: number;
}

export const SENDER_TIMINGS: SenderTimings = {
  roundEveryMs: 1_000,
  roundGapMs: 50,
  requestTimeoutMs: 15_000,
  stopWithinMs: 5_000,
  finishAgainEveryMs: 1_000,
  finishWithinMs: 30_000,
};

/** Of `requestTimeoutMs`: for the connection. An option of the egress client. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** What metrics count. */
export interface SenderObserver {
  attempted(outcome: AttemptVerdict['kind']): void;
  /** The first attempt of a delivery began this long after its event. */
  firstAttempt(delayMs: number): void;
}

/** The span of an attempt of a traced call. */
export interface DeliveryTrace {
  /** By which the receiver goes on with the trace. */
  readonly headers: Readonly<Record<string, string>>;
  ended(attempt: Pick<FinishedAttempt, 'status' | 'error' | 'verdict'>): void;
}

export interface DeliveryTraces {
  /** Null: the call is not traced. */
  begin(
    delivery: Pick<ClaimedDelivery, 'traceParent' | 'callId' | 'accountId' | 'type' | 'attempt'>,
  ): DeliveryTrace | null;
}

export interface SenderDeps {
  readonly traces?: DeliveryTraces | undefined;
  readonly store: Pick<WebhookStore, 'claim' | 'factsOf' | 'keepBodies' | 'release' | 'finish'>;
  readonly egress: Pick<EgressClient, 'request'>;
  readonly secretKey: SecretKey;
  /** Of this program, for `User-Agent`. */
  readonly version: string;
  /** `OUTDIAL_WEBHOOK_CONCURRENCY`: requests at once. */
  readonly concurrency: number;
  readonly observer: SenderObserver;
  readonly clock: Clock;
  readonly logger: Logger;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly timings: SenderTimings;
}
