import type { AccountId, CallId, ReservationId } from '@outdial/contracts';
import type { Call, CallFacts, QueuedCall } from '../call.ts';
import type { GateToken } from './gate.ts';

/** A reserved request on its way to becoming a call. */
export interface AcceptRow extends Omit<CallFacts, 'id' | 'reviewNote' | 'createdAtMs'> {
  readonly callId: CallId;
  readonly token: GateToken;
  /** SHA-256 of the parsed body, hex: tells a retry from another request under the same key. */
  readonly idempotency: { readonly key: string; readonly bodyDigest: string } | null;
  readonly requestId: string;
  readonly queueTtlSeconds: number;
  /** By the monotonic clock. A row that still gathers then is not sent any more: nobody waits for it. */
  readonly sendByMs: number;
}

/** In order of precedence. All but `accepted` leave no trace of this row. */
export type AcceptOutcome =
  /** Its batch left after `sendByMs`: the row was never sent. */
  | { readonly kind: 'expired' }
  /** The gate's decision was made under contents that are not current. */
  | { readonly kind: 'gate_stale' }
  /** The reconcile loop gave this reservation up before the row arrived. */
  | { readonly kind: 'voided' }
  /** A call of this id stands. */
  | { readonly kind: 'call_exists' }
  | { readonly kind: 'accepted'; readonly call: QueuedCall };

/** Did this account's key, from which the call's id is derived, become a call? */
export interface IdempotencyQuestion {
  readonly accountId: AccountId;
  readonly callId: CallId;
  /** By the monotonic clock. What still gathers then is not asked any more: nobody waits for the answer. */
  readonly sendByMs: number;
}

export interface StoredIdempotentCall {
  readonly call: Call;
  readonly bodyDigest: string;
}

/**
 * Group-committed. A rejection means that the outcome is unknown, unless it is `RowRejected`: then this row's own data
 * was refused and nothing was kept; or `WritesUnavailable`: then no row was.
 */
export interface AcceptStore {
  accept(row: AcceptRow): Promise<AcceptOutcome>;
  /** Makes sure that this reservation never becomes a call. `used`: too late, it has. */
  voidReservation(reservationId: ReservationId): Promise<'voided' | 'used'>;
  /** Read together with what else is asked at the time. Rejects with `DeadlineExceeded` if it was not sent in time. */
  findIdempotent(question: IdempotencyQuestion): Promise<StoredIdempotentCall | null>;
}

/** Postgres refused the data of one row (SQLSTATE class 22 or 23). */
export class RowRejected extends Error {
  constructor(cause: unknown) {
    super('the row was refused', { cause });
    this.name = 'RowRejected';
  }
}

/** Postgres takes no writes now. The statement was not sent, or was refused whole; it has no effect, now or later. */
export class WritesUnavailable extends Error {
  constructor(cause: unknown) {
    super('Postgres takes no writes', { cause });
    this.name = 'WritesUnavailable';
  }
}
