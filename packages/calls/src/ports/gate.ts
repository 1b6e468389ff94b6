import type { AccountId, CallId, Micros, ReservationId } from '@outdial/contracts';

/**
 * What a decision of the gate was made under: the generation of its contents and the timeline of the Postgres they
 * came from, as `<generation>.<timeline>`. Postgres compares it per row before it believes the decision.
 */
export interface GateToken {
  readonly generation: number;
  /** First eight characters of Postgres's current WAL file name. */
  readonly walTimeline: string;
}

export interface ReserveInput {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
  readonly holdMicros: Micros;
}

/**
 * In order of precedence: the first that applies is the answer.
 * `closed` and `unavailable` are transient; `account_unknown` is answered by loading the account and asking again.
 */
export type ReserveOutcome =
  /** No valid generation, or Redis is not the one that it was published to: rebuild. */
  | { readonly kind: 'closed' }
  /** This very reservation stands, made now or by an earlier delivery of the same command. */
  | { readonly kind: 'reserved'; readonly token: GateToken }
  /** Another attempt holds this call id. */
  | { readonly kind: 'duplicate' }
  /** The gate has not met this account since it was built. */
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
  /** The hold is at least this amount. To be used only once Postgres has taken the same amount under the token. */
  | { readonly kind: 'enlarged'; readonly token: GateToken }
  /** What no hold claims, as in `reserve`: the hold could grow by this much. */
  | { readonly kind: 'insufficient_funds'; readonly availableMicros: Micros };

/** An account's limits as Postgres has them. The versions keep an older reading from replacing a newer one. */
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
  /** Every account with an open call. Others are loaded when they first reserve. */
  readonly accounts: readonly AccountLimits[];
  readonly holds: readonly GateHold[];
}

export interface ReleaseInput {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly reservationId: ReservationId;
  /** The wallet after settling; omitted when nothing was settled (an attempt that never became a call). */
  readonly balance?: { readonly balanceMicros: Micros; readonly balanceVersion: number };
}

/** A hold as the reconcile loop finds it. `ageMs` is by Redis's own clock. */
export interface FoundHold extends GateHold {
  readonly ageMs: number;
}

/**
 * The Redis that a rebuild began on, in a form that only the gate reads. A publish that is re-sent after a flush or a
 * failover would bring back a snapshot from before the calls that were accepted meanwhile; its ticket gives it away.
 */
export interface RebuildTicket {
  readonly incarnation: string;
  /** Whose right to rebuild it is: nobody else's is given back with it. */
  readonly attemptId: string;
}

export type BeginRebuildOutcome =
  /** The right to rebuild is the caller's: take a generation, read a snapshot, publish it with the ticket. */
  | { readonly kind: 'begun'; readonly ticket: RebuildTicket }
  /** Somebody took it less than ten seconds ago, and has not given it back. */
  | { readonly kind: 'under_way' }
  /** The gate is open. */
  | { readonly kind: 'not_needed' };

export interface GateState {
  readonly open: boolean;
  readonly token: GateToken | null;
  readonly slotsInUse: number;
}

/**
 * The admission gate. Every method rejects when Redis does not answer in time; the outcome is then unknown, and
 * `release` with the same reservation id undoes it whatever it was.
 */
export interface Gate {
  reserve(input: ReserveInput): Promise<ReserveOutcome>;
  /** Sets the hold to an absolute amount if that is more than it is. */
  enlarge(input: ReserveInput): Promise<EnlargeOutcome>;
  /** Frees funds and slot if this reservation holds them; refreshes the balance if newer. Idempotent. */
  release(input: ReleaseInput): Promise<'released' | 'not_held' | 'closed'>;
  /** Brings in an account that was `account_unknown`; refused as `closed` if the generation has changed since. */
  loadAccount(token: GateToken, limits: AccountLimits): Promise<'loaded' | 'closed'>;
  /** Refreshes what the gate knows of an account; no effect on one that it does not know, or with older versions. */
  refreshAccount(limits: AccountLimits): Promise<'refreshed' | 'unchanged' | 'closed'>;
  refreshSystem(limits: SystemLimits): Promise<'refreshed' | 'unchanged' | 'closed'>;
  /** Shuts the gate if it still carries this token: Postgres has said that it is not current. */
  close(token: GateToken): Promise<void>;
  /** Takes the right to rebuild, unless somebody else took it less than ten seconds ago. */
  beginRebuild(): Promise<BeginRebuildOutcome>;
  /** Gives back the right that came with this ticket, so that the next one need not wait. No effect on another's. */
  abandonRebuild(ticket: RebuildTicket): Promise<void>;
  /**
   * Replaces all contents, if the token is greater than any published (by timeline, then by generation) and Redis is
   * still the one that the ticket names.
   */
  publish(ticket: RebuildTicket, snapshot: GateSnapshot): Promise<'published' | 'superseded'>;
  state(): Promise<GateState>;
  /** Walks every hold, some at a time. */
  holds(): AsyncIterable<readonly FoundHold[]>;
  /** Walks what the gate knows of accounts, some at a time. */
  accounts(): AsyncIterable<readonly AccountLimits[]>;
}

/** At most one dial per call, even by a worker that no longer owns it. Kept across rebuilds. */
export interface DialMarks {
  /** True for the first caller alone. Rejects when Redis is away: then nobody may dial. */
  mark(callId: CallId): Promise<boolean>;
}
