import type {
  AccountId,
  AnalysisProblem,
  AnalysisSettings,
  CallId,
  E164,
  Micros,
  ReservationId,
  Turn,
} from '@outdial/contracts';
import type { CallAnalysis } from '../call.ts';
import type { PinnedModel, PinnedRate } from '../conducted-call.ts';
import type { GateToken, ReleaseInput, ReserveInput } from './gate.ts';

/** An ended call to analyze, as the worker that claimed it reads it. */
export interface AnalysisJob {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly requestId: string;
  readonly currency: string;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly variables: Readonly<Record<string, string>>;
  readonly endedAtMs: number;
  readonly transcript: readonly Turn[];
  /** Null: the settings of the agent's version cannot be read. */
  readonly settings: AnalysisSettings | null;
  /** What was pinned when the call was accepted. */
  readonly models: readonly PinnedModel[];
  readonly rates: readonly PinnedRate[];
  /** The balance that no hold of an open call claims. */
  readonly availableMicros: Micros;
  /** This try's number: 1 is the first. */
  readonly tries: number;
  /** Fences every later write of this try. */
  readonly lease: AnalysisLease;
}

/** Random per claim. */
export type AnalysisLease = string;

export type ClaimAnalysisOutcome =
  | { readonly kind: 'claimed'; readonly job: AnalysisJob }
  /** A worker is at it, or the next try is not due yet. */
  | { readonly kind: 'leased'; readonly forMs: number }
  /** There is nothing to do: unknown, not to be analyzed, or over. */
  | { readonly kind: 'not_pending' };

/** Which account's turn it is. */
export interface NextAnalysis {
  /** The account that was served last. Null: none yet. */
  readonly after: AccountId | null;
  /** Accounts that have their share. */
  readonly except: readonly AccountId[];
}

/** Funds that the gate set aside for the charge, and under which token. */
export interface AnalysisPayment {
  readonly reservationId: ReservationId;
  readonly token: GateToken;
}

export type AnalysisEnd =
  | { readonly status: 'completed'; readonly analysis: CallAnalysis }
  /** `analysis` has the text of an answer that could not be used. */
  | { readonly status: 'failed'; readonly problem: AnalysisProblem; readonly analysis: CallAnalysis | null }
  | { readonly status: 'skipped'; readonly problem: AnalysisProblem; readonly analysis: null };

export interface FinishAnalysis {
  readonly callId: CallId;
  readonly lease: AnalysisLease;
  readonly end: AnalysisEnd;
  /** Null: it costs nothing. */
  readonly payment: AnalysisPayment | null;
}

/** The wallet after the statement, for the gate. */
type Balance = Required<Pick<ReleaseInput, 'balance'>>;

export type FinishAnalysisOutcome =
  /** `fenced`: another try has finished or claimed the analysis. */
  | ({ readonly kind: 'finished' | 'fenced' } & Balance)
  /** The gate was rebuilt since it set the funds aside. */
  | { readonly kind: 'gate_stale' }
  /** The reservation was given up. */
  | { readonly kind: 'voided' };

/** The analyses of ended calls. The call's row is the outbox: what the queue lost is in it. */
export interface AnalysisStore {
  /** The longest due analysis of the next account that has one; null: nothing is due. It claims nothing. */
  next(input: NextAnalysis): Promise<CallId | null>;
  /** For how long no worker may begin the analysis of a call: 0 if it is due, null if it is not pending. */
  waitOf(callId: CallId): Promise<number | null>;
  /** One compare-and-set: a pending call without a lease, or with one that is over, gets a lease and its next try. */
  claim(input: { readonly callId: CallId; readonly leaseMs: number }): Promise<ClaimAnalysisOutcome>;
  /** Gives the lease back after a failed try. */
  retryLater(input: {
    readonly callId: CallId;
    readonly lease: AnalysisLease;
    readonly afterMs: number;
  }): Promise<'written' | 'fenced'>;
  /**
   * Writes the result, the event `analyzed`, the charge and the new balance in one statement. Repeating it after a lost
   * answer returns `fenced` and charges nothing again.
   */
  finish(input: FinishAnalysis): Promise<FinishAnalysisOutcome>;
  /** Pending calls that are due for longer than `overdueMs`, the longest overdue first. */
  overdue(input: { readonly overdueMs: number; readonly limit: number }): Promise<readonly CallId[]>;
}

export type HoldFundsOutcome =
  | { readonly kind: 'closed' }
  /** Held, now or by an earlier delivery of the same command. */
  | { readonly kind: 'held'; readonly token: GateToken }
  /** Another reservation has this call id. */
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'account_unknown'; readonly token: GateToken }
  | { readonly kind: 'insufficient_funds'; readonly availableMicros: Micros };

/**
 * Sets funds aside for a charge that is not a call's: otherwise the gate could promise them to a call while Postgres
 * takes them. A capacity never refuses it. `Gate.release` frees it; what is lost, the reconcile loop frees.
 */
export interface FundsGate {
  holdFunds(input: ReserveInput): Promise<HoldFundsOutcome>;
}
