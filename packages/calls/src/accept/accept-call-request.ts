import type { CallId, CreateCallBody, Micros } from '@outdial/contracts';
import type { TraceParent } from '@outdial/kernel';
import type { Call } from '../call.ts';
import type { AccountProfile } from '../ports/directory.ts';
import type { OutsideCallingWindow } from './ask-window.ts';
import type { CallRefusal } from './authorize-call.ts';

/** A valid request of an authenticated account. */
export interface AcceptCallRequest {
  readonly account: AccountProfile;
  readonly body: CreateCallBody;
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  /** The request in its trace. Absent: nothing is traced. */
  readonly traceParent?: TraceParent | undefined;
  /** When the response is due, by the monotonic clock. */
  readonly deadlineMs: number;
  /**
   * Makes what must be there before the call. A repeated request does without: its response is the stored call. Resolves with
   * the error that rejects the request, or null.
   */
  readonly prepare?: (byMs: number) => Promise<Error | null>;
}

/** In order of precedence. Only `accepted` and `outcome_unknown` leave anything behind. */
export type AcceptCallOutcome =
  /** The key's first request became this call, shown in its current state. */
  | { readonly kind: 'replayed'; readonly call: Call }
  | { readonly kind: 'idempotency_key_reused' }
  /** What `prepare` resolved with. */
  | { readonly kind: 'not_prepared'; readonly error: Error }
  | CallRefusal
  | OutsideCallingWindow
  /** Another request under the same key is in progress. */
  | { readonly kind: 'idempotency_in_progress' }
  /** No trunk takes calls, and waiting in the queue is pointless or the queue is full. */
  | { readonly kind: 'no_trunk_available'; readonly retryAfterSeconds: number }
  | {
      readonly kind: 'insufficient_funds';
      readonly requiredMicros: Micros;
      readonly availableMicros: Micros;
      readonly currency: string;
    }
  | {
      readonly kind: 'capacity_exceeded';
      readonly scope: 'account' | 'system';
      readonly limit: number;
      readonly inUse: number;
    }
  /** The account has as many scheduled calls as it may have. */
  | { readonly kind: 'too_many_scheduled'; readonly limit: number }
  | { readonly kind: 'service_unavailable'; readonly cause: unknown }
  /** The request may have become a call with this id, and Postgres cannot be asked. */
  | { readonly kind: 'outcome_unknown'; readonly callId: CallId; readonly cause: unknown }
  /** The number is on a do-not-call list. */
  | { readonly kind: 'suppressed' }
  /** The number was called as often as the account's calling policy allows. */
  | { readonly kind: 'frequency_capped'; readonly untilMs: number | null }
  /** The call is `queued`, or `scheduled`. */
  | { readonly kind: 'accepted'; readonly call: Call };
