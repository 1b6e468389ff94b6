import type { AccountId, CallId, E164, ReservationId, WaitingFor } from '@outdial/contracts';
import type { TraceParent } from '@outdial/kernel';
import type { Call, CallFacts, CallSchedule, QueuedCall, ScheduledCall } from '../call.ts';
import type { CalleePlace } from '@outdial/policies';
import type { GateToken } from './gate.ts';

/** A request with a reservation, on its way to becoming a call. */
export interface AcceptRow extends Omit<CallFacts, 'id' | 'reviewNote' | 'createdAtMs'> {
  readonly callId: CallId;
  readonly reservationId: ReservationId;
  readonly token: GateToken;
  /** SHA-256 of the parsed body, hex: distinguishes a retry from another request under the same key. */
  readonly idempotency: { readonly key: string; readonly bodyDigest: string } | null;
  readonly requestId: string;
  /** Stored with the call, whose later spans belong to the trace of its request. */
  readonly traceParent?: TraceParent | undefined;
  readonly queueTtlSeconds: number;
  /** Null for a call without retries. */
  readonly schedule: AskedSchedule | null;
  /** Where the callee may be: by it, calling policies are judged whenever the call may be dialed. */
  readonly place: CalleePlace;
  /** By the monotonic clock. A row that still waits for its batch then is not sent: its request is over. */
  readonly sendByMs: number;
}

/** What a request says of when to call. */
export type AskedSchedule = Pick<CallSchedule, 'scheduledForMs' | 'giveUpAtMs' | 'retry'>;

/** A request for a call that is to be dialed later, on its way to becoming one. It has no reservation in the gate. */
export interface ScheduleRow extends Omit<
  AcceptRow,
  'reservationId' | 'token' | 'holdMicros' | 'conducted' | 'schedule'
> {
  readonly schedule: AskedSchedule;
  /** What it waits for from the start. */
  readonly waitingFor: Extract<WaitingFor, 'time' | 'capacity' | 'window'>;
  /** When a turn may take it first; not before `scheduledForMs`. */
  readonly dueAtMs: number;
  /** Decides between a late COMMIT and `voidReservation`, as the reservation of an `AcceptRow` does. */
  readonly arbiterId: ReservationId;
}

/** In order of precedence. All but `scheduled` leave no trace of this row. */
export type ScheduleOutcome =
  /** Its batch left after `sendByMs`: the row was never sent. */
  | { readonly kind: 'expired' }
  | { readonly kind: 'voided' }
  | { readonly kind: 'call_exists' }
  /** The number is on a do-not-call list. */
  | { readonly kind: 'suppressed' }
  | { readonly kind: 'scheduled'; readonly call: ScheduledCall };

/** In order of precedence. All but `accepted` leave no trace of this row. */
export type AcceptOutcome =
  /** Its batch left after `sendByMs`: the row was never sent. */
  | { readonly kind: 'expired' }
  /** The gate decided under stale contents. */
  | { readonly kind: 'gate_stale' }
  /** The reconcile loop voided this reservation before the row arrived. */
  | { readonly kind: 'voided' }
  /** A call with this id exists. */
  | { readonly kind: 'call_exists' }
  /** The number is on a do-not-call list. */
  | { readonly kind: 'suppressed' }
  /** The number was called as often as the account's calling policy allows. */
  | { readonly kind: 'frequency_capped' }
  | { readonly kind: 'accepted'; readonly call: QueuedCall };

/** Did this account's key, from which the call's id is derived, become a call? */
export interface IdempotencyQuestion {
  readonly accountId: AccountId;
  readonly callId: CallId;
  /** By the monotonic clock. A question that still waits for its batch then is not sent: its request is over. */
  readonly sendByMs: number;
}

export interface StoredIdempotentCall {
  /** Null: it is deleted, and the answer with it. */
  readonly call: Call | null;
  readonly bodyDigest: string;
}

/**
 * Group-committed. A rejection means that the outcome is unknown, with two exceptions: `RowRejected` (this row's own data
 * was rejected, and the row was not stored) and `WritesUnavailable` (no row was stored).
 */
export interface AcceptStore {
  accept(row: AcceptRow): Promise<AcceptOutcome>;
  /** Stores a call that is admitted later. Needs Postgres alone. */
  schedule(row: ScheduleRow): Promise<ScheduleOutcome>;
  /** How many calls of the account are scheduled, counted up to `limit`. */
  countScheduled(accountId: AccountId, limit: number): Promise<number>;
  /** When the account may call a number again that has reached a cap of its policy; null: it may now. */
  cappedUntilMs(accountId: AccountId, number: E164): Promise<number | null>;
  /** Ensures that this reservation never becomes a call. `used`: too late, it has become one. */
  voidReservation(reservationId: ReservationId): Promise<'voided' | 'used'>;
  /** Batched with concurrent questions. Rejects with `DeadlineExceeded` if it was not sent in time. */
  findIdempotent(question: IdempotencyQuestion): Promise<StoredIdempotentCall | null>;
}

/** Postgres rejected the data of one row (SQLSTATE class 22 or 23). */
export class RowRejected extends Error {
  constructor(cause: unknown) {
    super('the row was rejected', { cause });
    this.name = 'RowRejected';
  }
}

/** Postgres takes no writes now. The statement was not sent, or was rejected as a whole; it never takes effect. */
export class WritesUnavailable extends Error {
  constructor(cause: unknown) {
    super('Postgres takes no writes', { cause });
    this.name = 'WritesUnavailable';
  }
}
