import type { AccountId, AnsweredBy, CallFailure, CallId, EndedReason, Micros, Turn } from '@outdial/contracts';
import type { CallFacts, Epoch, SipDetails } from '../call.ts';
import type { Charge } from '../pricing.ts';
import type { LegDialog } from './carrier.ts';
import type { StoredSettings } from './directory.ts';
import type { GateToken, ReleaseInput } from './gate.ts';

/** A call as its driver gets it. */
export interface ClaimedCall extends CallFacts {
  readonly epoch: Epoch;
  readonly settings: StoredSettings;
  /** Of the request that created the call: joins its log lines across processes. */
  readonly requestId: string;
  /** When the claim was written, by Postgres's clock: `started_at`, and the anchor of every later time of this call. */
  readonly startedAtMs: number;
}

/** A call whose lease is over: what is known of it, for whoever ends it. */
export interface OrphanedCall extends CallFacts {
  readonly epoch: Epoch;
  readonly requestId: string;
  readonly carrier: string | null;
  readonly dialog: LegDialog | null;
  /** Its driver wrote its leg down before it sent anything: without a dialog, nothing was sent. */
  readonly writeAheadDial: boolean;
  readonly startedAtMs: number;
  readonly answeredAtMs: number | null;
  readonly answeredBy: AnsweredBy | null;
  /** The last moment at which its driver was known to be alive. A take-over does not move it, nor does its renewal. */
  readonly leaseRenewedAtMs: number;
  /** When it was taken over, by Postgres's clock, as the other times: a worker's own may be wrong by any amount. */
  readonly takenOverAtMs: number;
}

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly call: ClaimedCall }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'ended' }
  /** Somebody drives it; look again after that long. */
  | { readonly kind: 'leased'; readonly forMs: number }
  /** Its driver is gone: it may be taken over, never dialled again. */
  | { readonly kind: 'lease_over' }
  /** Queued, and dialling is paused. */
  | { readonly kind: 'paused' }
  /** Queued, but not to be dialled any more; the reason with which to end it. */
  | { readonly kind: 'refused'; readonly reason: Extract<EndedReason, 'queue_expired' | 'cancelled'> };

/** What a claim that was held back comes to. `claimed`: the right to dial is as it was at the first claim. */
export type ReclaimOutcome =
  | { readonly kind: 'claimed' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'fenced' }
  | { readonly kind: 'refused'; readonly reason: Extract<EndedReason, 'queue_expired' | 'cancelled'> };

/** Every write of a driver. `fenced`: somebody else owns the call now; hang up at once and write nothing more. */
export type FencedOutcome = { readonly kind: 'written'; readonly endRequested: boolean } | { readonly kind: 'fenced' };

export type Advance =
  | { readonly to: 'ringing'; readonly atMs: number; readonly sipCode: number }
  | { readonly to: 'in_progress'; readonly atMs: number };

export interface Settlement {
  readonly callId: CallId;
  readonly epoch: Epoch;
  readonly reason: EndedReason;
  /** Nothing was sent to the carrier: `started_at` becomes `ended_at`. */
  readonly neverDialled: boolean;
  /** Null if nobody picked up. Said again here because the write of the answer itself may have been lost. */
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number;
  readonly charge: Charge;
  /** Null: what was stored at the answer, if anything, stays. */
  readonly sipCode: number | null;
  /** Of a call that a final response refused. */
  readonly sip?: SipDetails | null;
  readonly answeredBy: AnsweredBy | null;
  readonly transcript: readonly Turn[] | null;
  readonly summary: string | null;
  readonly recordingKey: string | null;
  /** Of one that ends `agent_error`. */
  readonly failure?: CallFailure | null;
}

/** Repeating a settlement whose answer was lost gives `settled` again: nothing is charged twice. */
export type SettleOutcome = { readonly kind: 'settled'; readonly release: ReleaseInput } | { readonly kind: 'fenced' };

export interface FencingToken {
  readonly callId: CallId;
  readonly epoch: Epoch;
}

/** Group-committed: what comes in while one statement is in flight goes out with the next. */
export interface DriveStore {
  /** One compare-and-set: `queued` → `dialing`, epoch + 1, a lease of `leaseMs`. */
  claim(input: {
    readonly callId: CallId;
    readonly workerId: string;
    readonly leaseMs: number;
    readonly writeAheadDial: boolean;
  }): Promise<ClaimOutcome>;
  /**
   * Of a call that was claimed and held back before anybody was dialled: asks again what the claim asks, and if it may be
   * dialled lets its time, its lease and the right to it begin anew.
   */
  reclaim(input: FencingToken & { readonly leaseMs: number }): Promise<ReclaimOutcome>;
  saveDialog(input: FencingToken & { readonly carrier: string; readonly dialog: LegDialog }): Promise<FencedOutcome>;
  advance(input: FencingToken & Advance): Promise<FencedOutcome>;
  saveAnsweredBy(
    input: FencingToken & { readonly answeredBy: AnsweredBy; readonly atMs: number },
  ): Promise<FencedOutcome>;
  renewLease(input: FencingToken & { readonly leaseMs: number }): Promise<FencedOutcome>;
  /** Requires the epoch and the gate's token; the hold is used only after `enlarged`. */
  enlargeHold(
    input: FencingToken & { readonly holdMicros: Micros; readonly token: GateToken },
  ): Promise<{ readonly kind: 'enlarged' | 'gate_stale' | 'fenced' }>;
  settle(settlement: Settlement): Promise<SettleOutcome>;
  /** Settles calls that nobody has claimed, at no cost. Those that somebody claimed meanwhile are left out. */
  endQueued(input: {
    readonly callIds: readonly CallId[];
    readonly reason: Extract<EndedReason, 'queue_expired' | 'cancelled'>;
  }): Promise<readonly ReleaseInput[]>;
  /** Gives a leased call back before its lease ends, so that it is taken over at once (drain). */
  handOver(input: FencingToken): Promise<FencedOutcome>;
  /** Takes calls whose lease is over: epoch + 1 and a new lease. Never two workers the same. */
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
  /** It was queued: ended `cancelled`, settled at no cost. */
  | { readonly kind: 'cancelled'; readonly release: ReleaseInput }
  /** Its driver will see the request at its next write. */
  | { readonly kind: 'requested' };

export interface EndStore {
  requestEnd(input: { readonly accountId: AccountId; readonly callId: CallId }): Promise<EndRequestOutcome>;
}
