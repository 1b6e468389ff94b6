import type {
  AccountId,
  AnsweredBy,
  CallEventType,
  CallFailure,
  CallId,
  EndedReason,
  Micros,
  ReservationId,
  Turn,
  Driver,
  LineName,
  LiveTurn,
  UsageEntry,
} from '@outdial/contracts';
import type { TraceParent } from '@outdial/kernel';
import type { StatusAfter } from '../call-state.ts';
import type { CallFacts, CallLimits, Epoch, SipDetails } from '../call.ts';
import type { Charge } from '../pricing.ts';
import type { UsageReport } from '../usage-cost.ts';
import type { Rate } from '../rate-deck.ts';
import type { LegDialog } from './carrier.ts';
import type { StoredSettings } from './directory.ts';
import type { GateToken, ReleaseInput } from './gate.ts';
import type { TurnMetrics } from '../turn-metrics.ts';
import type { LegId, LegResult } from '../leg.ts';

/** A call as its driver receives it. */
export interface ClaimedCall extends CallFacts {
  readonly reservationId: ReservationId;
  readonly epoch: Epoch;
  readonly settings: StoredSettings;
  /** From the request that created the call: joins its log lines across processes. */
  readonly requestId: string;
  /** Where the spans of the call belong. Null: neither its request nor its claim was traced. */
  readonly traceParent: TraceParent | null;
  /** When it was accepted, or a scheduled call was admitted. */
  readonly queuedAtMs: number;
  /** When the claim was written, by Postgres's clock: `started_at`, and the anchor of every later time of this call. */
  readonly startedAtMs: number;
}

/** A call whose lease is over: the known facts, for the worker that ends it. */
export interface OrphanedCall extends CallFacts {
  readonly reservationId: ReservationId;
  readonly epoch: Epoch;
  readonly requestId: string;
  readonly traceParent: TraceParent | null;
  readonly carrier: string | null;
  readonly dialog: LegDialog | null;
  /** Its driver stored its leg before it sent anything: without a dialog, nothing was sent. */
  readonly writeAheadDial: boolean;
  readonly startedAtMs: number;
  readonly answeredAtMs: number | null;
  readonly answeredBy: AnsweredBy | null;
  /** What its models had used at the last renewal. */
  readonly usage: readonly UsageEntry[];
  /** What had been said at the last renewal. */
  readonly turns: readonly LiveTurn[];
  /** Its second legs that are not settled. */
  readonly legs: readonly OrphanedLeg[];
  /** The last moment at which its driver was known to be alive. A take-over and its renewals do not move it. */
  readonly leaseRenewedAtMs: number;
  /** When it was taken over, by Postgres's clock like the other times: a worker's own clock may be wrong by any amount. */
  readonly takenOverAtMs: number;
}

/** A second leg of an orphaned call, as far as it is stored. */
export interface OrphanedLeg {
  readonly legId: LegId;
  readonly rate: Rate;
  readonly holdMicros: Micros;
  readonly limits: CallLimits;
  readonly carrier: string | null;
  readonly dialog: LegDialog | null;
  readonly writeAheadDial: boolean;
  /** When it was stored. */
  readonly startedAtMs: number;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number | null;
}

/** Why a call that no worker has dialed ends instead. */
export type RefusedReason = Extract<
  EndedReason,
  'queue_expired' | 'cancelled' | 'suppressed' | 'outside_calling_window' | 'frequency_capped'
>;

/** The call must not be dialed any more. */
export interface Refused {
  readonly kind: 'refused';
  /** The reason with which to end it. */
  readonly reason: RefusedReason;
  /** Its campaign is held up, and goes on later: end it so that its contact is called again. */
  readonly givesBack?: true;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly call: ClaimedCall }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }
  /** A worker drives it; try again after that time. */
  | { readonly kind: 'leased'; readonly forMs: number }
  /** Its driver is gone: it may be taken over, but never dialed again. */
  | { readonly kind: 'lease_over' }
  /** Queued, and dialing is paused. */
  | { readonly kind: 'paused' }
  /** Queued, and the worker does not know the driver that conducts it: another worker may. */
  | { readonly kind: 'driver_unknown' }
  /** Queued, and the claim named no lines: get them from the gate, then claim it with them. */
  | { readonly kind: 'lines_needed' }
  /** Queued, and the gate gave its lines under an earlier token: the rebuild did not count them. */
  | { readonly kind: 'gate_stale' }
  /** Queued, but must not be dialed any more. */
  | Refused;

/** The lines that the gate gave to a call, and the token under which it did. Stored with the claim. */
export interface ClaimLines {
  readonly names: readonly LineName[];
  readonly token: GateToken;
}

/** The outcome of a claim that a pause delayed. `claimed`: the call may be dialed as after the first claim. */
export type ReclaimOutcome =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'fenced' }
  | Refused;

/** What the timeline says of a conversation, beside its states. */
export interface ConversationNote {
  readonly type: Extract<CallEventType, 'tool_called' | 'transfer' | 'provider_failed' | 'provider_recovered'>;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The callee wants no more calls of the account. */
export interface OptOut {
  /** `key`: pressed the key that the agent names. `tool`: said so, as the agent’s model understood. */
  readonly evidence: 'key' | 'tool';
  /** What the model noted of it. */
  readonly note: string | null;
}

/** The outcome of every write of a driver. `fenced`: another worker owns the call; hang up at once and write nothing more. */
export type FencedOutcome = { readonly kind: 'written'; readonly endRequested: boolean } | { readonly kind: 'fenced' };

export type Advance =
  | { readonly to: StatusAfter<'provisional_response'>; readonly atMs: number; readonly sipCode: number }
  | { readonly to: StatusAfter<'answered'>; readonly atMs: number };

/** The end and the charge of a second leg. A leg that is settled already stays as it is. */
export interface LegSettlement {
  readonly legId: LegId;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number;
  readonly result: LegResult;
  readonly sipCode: number | null;
  /** Beside the charge of the first leg. */
  readonly charge: Charge;
}

export interface Settlement {
  readonly callId: CallId;
  readonly epoch: Epoch;
  readonly reason: EndedReason;
  /** Nothing was sent to the carrier: `started_at` becomes `ended_at`. */
  readonly neverDialled: boolean;
  /** Null if the call was not answered. Repeated here because the write of the answer itself may have been lost. */
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number;
  /** Of the first leg and the models. What its second legs cost is added. */
  readonly charge: Charge;
  /** Its second legs. One that is stored and not named here was never dialed. */
  readonly legs?: readonly LegSettlement[];
  /** Absent: what is stored stays. */
  readonly usage?: UsageReport;
  /** Absent: none are known. */
  readonly turnMetrics?: readonly TurnMetrics[];
  /** Null: what was stored at the answer stays. */
  readonly sipCode: number | null;
  /** For a call that a final response rejected. */
  readonly sip?: SipDetails | null;
  readonly answeredBy: AnsweredBy | null;
  readonly transcript: readonly Turn[] | null;
  readonly summary: string | null;
  readonly recordingKey: string | null;
  /** For a call that ends `agent_error`. */
  readonly failure?: CallFailure | null;
  /** The callee opted out. Repeated here because the write of the opt-out itself may have been lost. */
  readonly optOut?: OptOut;
  /** The call is analyzed once it has ended. */
  readonly wantsAnalysis?: boolean;
  /** Its campaign calls the contact again, unless it is over or something was sent to the carrier. */
  readonly givesBack?: boolean;
}

/** Repeating a settlement whose answer was lost returns `settled` again: nothing is charged twice. */
export type SettleOutcome =
  | {
      readonly kind: 'settled';
      readonly release: ReleaseInput;
      /** The holds of its second legs. */
      readonly legReleases?: readonly ReleaseInput[];
    }
  | { readonly kind: 'fenced' };

/** Identifies an owner of a call. Every write of its driver carries it. */
export interface FencingToken {
  readonly callId: CallId;
  readonly epoch: Epoch;
}

/** Group-committed: calls that arrive while one statement is in flight go out with the next. */
export interface DriveStore {
  /**
   * One compare-and-set: `queued` → `dialing`, epoch + 1, a lease of `leaseMs`. A call that a model conducts is claimed
   * only by a worker that knows its driver, and only with lines, which are stored. Scripted calls need neither.
   */
  claim(input: {
    readonly callId: CallId;
    readonly workerId: string;
    readonly leaseMs: number;
    readonly writeAheadDial: boolean;
    /** The drivers that the worker knows; `scripted` alone unless given. */
    readonly drivers?: readonly Driver[];
    readonly lines?: ClaimLines;
    /** Stored with a call that has no trace yet. */
    readonly traceParent?: TraceParent | undefined;
  }): Promise<ClaimOutcome>;
  /**
   * For a call that was claimed and then paused before it was dialed: checks the same conditions as the claim. If the call
   * may be dialed, its start time, its lease and its permit to dial start again.
   */
  reclaim(input: FencingToken & { readonly leaseMs: number }): Promise<ReclaimOutcome>;
  saveDialog(input: FencingToken & { readonly carrier: string; readonly dialog: LegDialog }): Promise<FencedOutcome>;
  advance(input: FencingToken & Advance): Promise<FencedOutcome>;
  saveAnsweredBy(
    input: FencingToken & { readonly answeredBy: AnsweredBy; readonly atMs: number },
  ): Promise<FencedOutcome>;
  /** Adds an event of the conversation to the timeline. */
  saveEvent(input: FencingToken & ConversationNote & { readonly atMs: number }): Promise<FencedOutcome>;
  /**
   * Puts the callee on the account’s do-not-call list, with an event, in one statement. Repeating it changes nothing. Then
   * ends what is scheduled to that number; what it leaves ends when it is admitted.
   */
  optOut(input: FencingToken & OptOut & { readonly atMs: number }): Promise<FencedOutcome>;
  /**
   * `usage` is the whole usage of the call so far, `turns` are those that no renewal has stored: one that comes late or
   * twice changes nothing.
   */
  renewLease(
    input: FencingToken & {
      readonly leaseMs: number;
      readonly usage?: UsageReport;
      readonly turns?: readonly LiveTurn[];
    },
  ): Promise<FencedOutcome>;
  /** Requires the epoch and the gate's token. The hold may be used only after `enlarged`. */
  enlargeHold(
    input: FencingToken & { readonly holdMicros: Micros; readonly token: GateToken },
  ): Promise<{ readonly kind: 'enlarged' | 'gate_stale' | 'fenced' }>;
  settle(settlement: Settlement): Promise<SettleOutcome>;
  /** Settles unclaimed calls at no cost. Calls that have been claimed since are left out. */
  endQueued(input: {
    readonly callIds: readonly CallId[];
    readonly reason: RefusedReason;
    /** Their campaigns call the contacts again, unless they are over. */
    readonly givesBack?: boolean;
  }): Promise<readonly ReleaseInput[]>;
  /** Ends a lease early, so that the call is taken over at once (drain). */
  handOver(input: FencingToken): Promise<FencedOutcome>;
  /** Takes over calls whose lease is over: epoch + 1 and a new lease. Two workers never take over the same call. */
  takeOver(input: {
    readonly workerId: string;
    readonly leaseMs: number;
    readonly limit: number;
    readonly callId?: CallId;
  }): Promise<readonly OrphanedCall[]>;
}

export type EndRequestOutcome =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'already_ended' }
  /** It was scheduled or queued: ended `cancelled`, settled at no cost. A scheduled call has nothing to release. */
  | { readonly kind: 'cancelled'; readonly release: ReleaseInput | null }
  /** Its driver will see the request at its next write. */
  | { readonly kind: 'requested' };

export interface EndStore {
  requestEnd(input: { readonly accountId: AccountId; readonly callId: CallId }): Promise<EndRequestOutcome>;
}
