import type { AccountId, CallId } from '@outdial/contracts';

/**
 * One observation of a trunk, on one clock. `sinceMs`: when the unanswered request was sent; for an answer, when it
 * arrived. `own`: this process saw it; otherwise another worker did.
 */
export type TrunkEvidence = CallRefusedByTrunk | TrunkCarried | TrunkAnswered | TrunkUnanswered;

interface Seen {
  readonly atMs: number;
  readonly own: boolean;
}

/** A call that the trunk did not take: a final 503, silence until Timer B, or 401/407 after our digest answer. */
export interface CallRefusedByTrunk extends Seen {
  readonly kind: 'failed';
  readonly failure: 'congested' | 'silent' | 'unauthorized';
  readonly sinceMs: number;
  readonly callId: CallId;
  readonly accountId: AccountId;
  /** A digest of the called number. */
  readonly destination: string;
  /** From the 503; null if it has none. */
  readonly retryAfterMs: number | null;
  readonly detail: string;
}

/** A response came from behind the trunk: a provisional response above 100, or any final one but 401, 407 and 503. */
export interface TrunkCarried extends Seen {
  readonly kind: 'carried';
  readonly accountId: AccountId;
}

/** OPTIONS was answered, with anything but 503. */
export interface TrunkAnswered extends Seen {
  readonly kind: 'answered';
}

/** OPTIONS was answered with 503 or not at all, or no byte could be sent. No customer's number can cause that. */
export interface TrunkUnanswered extends Seen {
  readonly kind: 'unanswered';
  readonly sinceMs: number;
  readonly state: 'unreachable' | 'congested';
  /** How long the process that saw it avoids the trunk; null: until the trunk answers. */
  readonly forMs: number | null;
  readonly detail: string;
}
