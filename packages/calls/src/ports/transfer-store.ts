import type { E164, Micros, ReservationId, TrunkName } from '@outdial/contracts';
import type { CallLimits } from '../call.ts';
import type { LegId, LegResult } from '../leg.ts';
import type { Rate } from '../rate-deck.ts';
import type { LegDialog } from './carrier.ts';
import type { FencedOutcome, FencingToken } from './drive-store.ts';
import type { GateToken } from './gate.ts';

/** The second leg of a call: it has its own rate, its own hold and slot in the gate, and its own channel of a trunk. */
export interface TransferLeg {
  readonly legId: LegId;
  readonly reservationId: ReservationId;
  /** Its name in the agent's settings. */
  readonly destination: string;
  readonly calleeNumber: E164;
  readonly rate: Rate;
  readonly holdMicros: Micros;
  /** Its longest talk is what is left of the call's. */
  readonly limits: CallLimits;
}

export type BeginLegOutcome =
  | { readonly kind: 'begun'; readonly endRequested: boolean }
  /** Dialing is paused, the number is suppressed, the call is to end, or another leg is up. Nothing is stored, now or later. */
  | { readonly kind: 'refused'; readonly endRequested: boolean }
  /** The gate's grant is of an earlier generation. */
  | { readonly kind: 'gate_stale' }
  | { readonly kind: 'fenced' };

/** What a driver reports of a second leg. What is absent stays. */
export interface LegChange {
  readonly dialog?: { readonly carrier: string; readonly dialog: LegDialog };
  readonly answeredAtMs?: number;
  /** The callee and the destination hear each other. */
  readonly connectedAtMs?: number;
  readonly ended?: { readonly atMs: number; readonly result: LegResult; readonly sipCode: number | null };
}

/** The second legs of calls in Postgres. Each method is one statement, fenced by the call's epoch, and may be repeated. */
export interface TransferStore {
  /**
   * Stores the leg under the gate's token, before anything is sent for it. Asked again, it says whether the leg may still be
   * dialed. A call has one leg that is up at a time.
   */
  beginLeg(
    input: FencingToken & {
      readonly leg: TransferLeg;
      /** The driver stores a dialog before it sends anything: a leg without one was never dialed. */
      readonly writeAheadDial: boolean;
      readonly token: GateToken;
    },
  ): Promise<BeginLegOutcome>;
  /** Stores the trunk that is tried next, and the leg as it will be. @see DialAttemptStore.beginAttempt */
  beginLegAttempt(
    input: FencingToken & {
      readonly legId: LegId;
      readonly carrier: string;
      readonly trunk: TrunkName;
      readonly dialog: LegDialog;
      readonly token: GateToken;
    },
  ): Promise<FencedOutcome | { readonly kind: 'gate_stale' } | { readonly kind: 'paused' }>;
  /** A leg that ends without an answer is settled by that, at no cost. One that was answered is settled with its call. */
  saveLeg(input: FencingToken & { readonly legId: LegId; readonly change: LegChange }): Promise<FencedOutcome>;
  enlargeLegHold(
    input: FencingToken & { readonly legId: LegId; readonly holdMicros: Micros; readonly token: GateToken },
  ): Promise<{ readonly kind: 'enlarged' | 'gate_stale' | 'fenced' }>;
}
