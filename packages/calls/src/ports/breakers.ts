import type { AccountId, BreakerName, CallId } from '@outdial/contracts';
import type { BreakerEvidence, BreakerOutage } from '../breaker.ts';

/** An outcome, as it is recorded. `neither` shows nothing about the provider: the call only is no probe any longer. */
export interface SeenOutcome {
  readonly breaker: BreakerName;
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly outcome: BreakerEvidence['outcome'] | 'neither';
}

/** What all workers know of a breaker, by Redis's clock. */
export interface KnownOfBreaker {
  readonly nowMs: number;
  readonly outage: BreakerOutage | null;
  /** The outcome came from the call that the half-open breaker let through. */
  readonly isProbe: boolean;
  /** Oldest first, of at most five minutes: 20 of an account, 200 of all. Only after a fault, and while it is closed. */
  readonly evidence: readonly BreakerEvidence[];
}

/** A breaker that is open or half-open now. */
export interface OpenBreaker extends BreakerOutage {
  readonly breaker: BreakerName;
  /** For how long it stays open; 0 for a half-open one. */
  readonly forMs: number;
  /** No worker has checked its credential since it became half-open, and none does so now. */
  readonly needsCheck: boolean;
  /** Null: accounts share it. */
  readonly owner: AccountId | null;
}

export type BreakerChange =
  /** `isChecked`: its credential needs no check once the time is over. `owner`: whose breaker it is, as long as it is open. */
  | { readonly kind: 'open'; readonly forMs: number; readonly isChecked: boolean; readonly owner: AccountId | null }
  /** Its credential is being checked, by this process alone. */
  | { readonly kind: 'begin_check' }
  /** The credential works: one call may try. */
  | { readonly kind: 'checked' }
  | { readonly kind: 'close' };

/**
 * The breakers of all models, across all workers: what was seen of them, and which are open. Redis may forget them: calls
 * then find out again. Times are Redis's. Every method rejects when Redis does not answer in time.
 */
export interface Breakers {
  record(seen: SeenOutcome): Promise<KnownOfBreaker>;
  /** Changes nothing if the streak is no longer that of the breaker (0: it is closed), or if its owner has 20 other open ones. */
  change(breaker: BreakerName, streak: number, change: BreakerChange): Promise<'changed' | 'unchanged'>;
  open(): Promise<readonly OpenBreaker[]>;
}
