import type { AccountId, CallId, Micros, ReservationId } from '@outdial/contracts';
import type { TraceParent } from '@outdial/kernel';

/**
 * What the gate decided under: the generation of its contents and the WAL timeline of the Postgres that they came from, as
 * `<generation>.<timeline>`. Postgres compares it per row before it accepts the decision.
 */
export interface GateToken {
  readonly generation: number;
  /** The first eight characters of Postgres's current WAL file name. */
  readonly walTimeline: string;
}

export interface ReserveInput {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
  readonly holdMicros: Micros;
  /** Of the request. The gate does not store it. */
  readonly traceParent?: TraceParent | undefined;
}

/**
 * In order of precedence: the first that applies is returned. `closed` is transient; after `account_unknown`, load the
 * account and try again.
 */
export type ReserveOutcome =
  /** No valid generation, or Redis is not the instance that it was published to: rebuild. */
  | { readonly kind: 'closed' }
  /** This reservation exists, made now or by an earlier delivery of the same command. */
  | { readonly kind: 'reserved'; readonly token: GateToken }
  /** Another reservation has this call id. */
  | { readonly kind: 'duplicate' }
  /** The gate has not loaded this account since it was built. */
  | { readonly kind: 'account_unknown'; readonly token: GateToken }
  | { readonly kind: 'insufficient_funds'; readonly availableMicros: Micros }
  | {
      readonly kind: 'capacity_exceeded';
      readonly scope: 'account' | 'system';
      readonly limit: number;
      readonly inUse: number;
    };

export type EnlargeOutcome =
  | { readonly kind: 'closed' }
  /** The gate does not hold this reservation. */
  | { readonly kind: 'not_held' }
  /** The hold is at least this amount. It may be used only once Postgres has stored the amount under the token. */
  | { readonly kind: 'enlarged'; readonly token: GateToken }
  /** The funds that no hold claims, as in `reserve`: the hold could grow by this much. */
  | { readonly kind: 'insufficient_funds'; readonly availableMicros: Micros };

/** An account's limits from Postgres. The versions keep an older reading from replacing a newer one. */
export interface AccountLimits {
  readonly accountId: AccountId;
  readonly balanceMicros: Micros;
  readonly balanceVersion: number;
  readonly capacity: number;
  readonly capacityVersion: number;
}

export interface SystemLimits {
  readonly capacity: number;
  readonly capacityVersion: number;
}

export interface GateHold {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
  readonly holdMicros: Micros;
}

/** Everything that the gate is rebuilt from: one consistent reading of Postgres. */
export interface GateSnapshot {
  readonly token: GateToken;
  readonly system: SystemLimits;
  /** Every account with an open call. Other accounts are loaded when they first reserve. */
  readonly accounts: readonly AccountLimits[];
  readonly holds: readonly GateHold[];
}

export interface ReleaseInput {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
  /** The wallet after settling; omitted when nothing was settled (a reservation that never became a call). */
  readonly balance?: { readonly balanceMicros: Micros; readonly balanceVersion: number };
}

/** The sums over an account's holds: those of its open calls and tries. */
export interface AccountUse {
  readonly heldMicros: Micros;
  readonly openCalls: number;
}

export type HoldOfCall = Pick<GateHold, 'reservationId' | 'holdMicros'>;

/** A hold as the reconcile loop finds it. `ageMs` is by Redis's own clock. */
export interface FoundHold extends GateHold {
  readonly ageMs: number;
}

/**
 * The Redis instance that a rebuild began on, in a form that only the gate reads. Without the ticket, a publish that is
 * re-sent after a flush or a failover would restore a snapshot from before the calls that were accepted since.
 */
export interface RebuildTicket {
  readonly incarnation: string;
  /** Identifies the rebuild: only its own right to rebuild is released with the ticket. */
  readonly attemptId: string;
}

export type BeginRebuildOutcome =
  /** The caller has the right to rebuild: take a generation, read a snapshot, publish it with the ticket. */
  | { readonly kind: 'begun'; readonly ticket: RebuildTicket }
  /** Another process took it less than ten seconds ago, and has not released it. */
  | { readonly kind: 'under_way' }
  /** The gate is open. */
  | { readonly kind: 'not_needed' };

export interface GateState {
  readonly open: boolean;
  readonly token: GateToken | null;
  readonly slotsInUse: number;
}

/**
 * The admission gate. Every method rejects when Redis does not answer in time; the outcome is then unknown, and `release`
 * with the same reservation id undoes it in any case.
 */
export interface Gate {
  reserve(input: ReserveInput): Promise<ReserveOutcome>;
  /** Raises the hold to an absolute amount; never lowers it. */
  enlarge(input: ReserveInput): Promise<EnlargeOutcome>;
  /** Frees the funds and slot of this reservation; refreshes the balance if it is newer. Idempotent. */
  release(input: ReleaseInput): Promise<'released' | 'not_held' | 'closed'>;
  /** Loads an account that was `account_unknown`; `closed` if the generation has changed since. */
  loadAccount(token: GateToken, limits: AccountLimits): Promise<'loaded' | 'closed'>;
  /** Refreshes the limits of an account; no effect on an unknown account, or with older versions. */
  refreshAccount(limits: AccountLimits): Promise<'refreshed' | 'unchanged' | 'closed'>;
  refreshSystem(limits: SystemLimits): Promise<'refreshed' | 'unchanged' | 'closed'>;
  /** Closes the gate if it still carries this token: Postgres has found the token stale. */
  close(token: GateToken): Promise<void>;
  /** Takes the right to rebuild, unless another process took it less than ten seconds ago. */
  beginRebuild(): Promise<BeginRebuildOutcome>;
  /** Releases the right of this ticket, so that the next rebuild need not wait. No effect on another ticket's right. */
  abandonRebuild(ticket: RebuildTicket): Promise<void>;
  /**
   * Replaces all contents, if the token is greater than any published one (by WAL timeline, then by generation) and Redis
   * is still the instance of the ticket.
   */
  publish(ticket: RebuildTicket, snapshot: GateSnapshot): Promise<'published' | 'superseded'>;
  state(): Promise<GateState>;
  /** Costs the same however many calls are open. Null while the gate is closed. */
  accountUse(accountId: AccountId): Promise<AccountUse | null>;
  /** In the order of the calls, null for those without a hold; at most 1,000. Null while the gate is closed. */
  holdsOf(callIds: readonly CallId[]): Promise<readonly (HoldOfCall | null)[] | null>;
  /** Iterates over all holds, in pages. */
  holds(): AsyncIterable<readonly FoundHold[]>;
  /** Iterates over the accounts that the gate knows, in pages. */
  accounts(): AsyncIterable<readonly AccountLimits[]>;
}

/** Ensures at most one dial per call, even by a worker that no longer owns it. Kept across rebuilds. */
export interface DialMarks {
  /** True for the first caller only. Rejects when Redis is away: then the call must not be dialed. */
  mark(callId: CallId): Promise<boolean>;
}
