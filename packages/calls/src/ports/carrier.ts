import type { AccountId, CallId, E164, TrunkName } from '@outdial/contracts';
import type { Trunk } from '../trunks/trunk.ts';

/** 20 ms of speech: mono, 8 kHz, 16-bit linear. Frames are shared: nobody writes into one that was handed over. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = 160;
export const SAMPLE_RATE_HZ = 8_000;
export type Frame = Int16Array;

/** How a leg ended, before it is put into the words of `EndedReason`. */
export type LegOutcome =
  /** It was answered and then ended; `by` says who did that. `carrier`: the network dropped it. */
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'declined'
  | 'invalid_destination'
  | 'rejected'
  | 'unavailable'
  /** We gave up before it was answered. */
  | 'cancelled'
  /** Answered, and then nothing was heard of the media. */
  | 'no_audio'
  /** Answered, and then our own voice had to stop: the right to the call was not renewed in time. */
  | 'silenced'
  /** `mayDial` said no: nothing was sent. */
  | 'not_dialled';

export interface LegEnd {
  readonly outcome: LegOutcome;
  readonly by: 'callee' | 'us' | 'carrier';
  /** The carrier's last final response. */
  readonly sipCode: number | null;
  /** ITU-T Q.850 cause, where the carrier gave one. */
  readonly q850Cause: number | null;
  readonly retryAfterSeconds: number | null;
  /** What the final response that refused the call said beside its code. */
  readonly refusal?: RefusalText;
}

export interface RefusalText {
  readonly reasonPhrase: string | null;
  readonly warning: string | null;
  readonly q850Text: string | null;
}

const LONGEST_SESSION_SECONDS = 1_800;
/** Less is refused by the far end (RFC 4028 section 4). */
const SHORTEST_SESSION_SECONDS = 90;

/** For how long a far end may take a call for up of which it hears nothing more. */
export function sipSessionSecondsFor(maxDurationSeconds: number): number {
  return Math.min(LONGEST_SESSION_SECONDS, Math.max(SHORTEST_SESSION_SECONDS, maxDurationSeconds));
}

/** What every answer is: an INVITE knows no other 2xx (RFC 3261 section 21.2). */
export const ANSWERED_SIP_CODE = 200;

/** What another worker needs to end this leg: opaque JSON to all but the carrier that wrote it. */
export type LegDialog = Readonly<Record<string, unknown>>;

export type LegEvent =
  /** The leg's identity is known or has changed; to be stored before anything else can end it. */
  | { readonly kind: 'dialog'; readonly dialog: LegDialog }
  /** The first provisional response above 100. */
  | { readonly kind: 'ringing'; readonly sipCode: number }
  /** The callee picked up. Early media is never an answer. */
  | { readonly kind: 'answered' }
  | { readonly kind: 'held'; readonly held: boolean }
  /** The last event, exactly once. */
  | { readonly kind: 'ended'; readonly end: LegEnd };

/** The sound of a leg, driven by the media clock: one frame each way every 20 ms. */
export interface LegMedia {
  /** The frame that is due now; undefined when nothing arrived. */
  receive(): Frame | undefined;
  send(frame: Frame): void;
  /** Drops what was sent but not played yet, and says how many milliseconds that were. */
  clear(): number;
  /** Digits that the callee pressed since the last call, in order. */
  receiveDigits(): string;
  sendDigits(digits: string): void;
}

/** The carrier's side of a call. */
export interface Leg {
  /** Null while its sound is handled in another thread, where this one's conversations reach it by the call's id. */
  readonly media: LegMedia | null;
  /** Events in order, from the first on, to one listener. */
  listen(listener: (event: LegEvent) => void): void;
  /**
   * CANCEL before the answer, BYE after it. No sound is sent from then on; `ended` follows once the far end is known to
   * be gone. Idempotent.
   */
  hangUp(): void;
}

export interface DialRequest {
  readonly callId: CallId;
  /** What a trunk does to the calls of one account says little about the trunk. */
  readonly accountId: AccountId;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly ringTimeoutMs: number;
  readonly maxDurationMs: number;
  /** A trunk that has a channel for this call already: the first to be tried, if it may carry the call. */
  readonly admittedTrunk: TrunkName | null;
  /**
   * Asked in the same tick as the first byte is sent, and after anything slow (name look-up, connecting, a digest
   * challenge). False once the worker's right to the call may be over: then nothing is sent.
   */
  readonly mayDial: () => boolean;
  /**
   * Asked after `mayDial` said no. Waits while dialling is paused. True: worth asking `mayDial` again, in the same tick;
   * false: the call is not to be dialled any more. Never rejects.
   */
  readonly awaitDialPermit: () => Promise<boolean>;
  /**
   * Asked by a carrier of several trunks before it sends anything to one, the first and every further one, and before it
   * goes on to another address of the same trunk. Only `begun` lets it go on: then the trunk has a channel for the call,
   * and Postgres has `dialog`, by which another worker ends the leg. Never rejects.
   */
  readonly beginAttempt: (trunk: Trunk, dialog: LegDialog) => Promise<DialAttemptOutcome>;
  /**
   * Resolves once Postgres has every dialog that was told so far. Asked before what would leave a leg up that nobody
   * else could end: an INVITE that the attempt did not begin with, and the ACK to an answer. Never resolves if somebody
   * else owns the call.
   */
  readonly recorded: () => Promise<void>;
  /** Until when the worker may use the call, as far as it is known now, by the monotonic clock. */
  readonly rightEndsAtMs: () => number;
}

export type DialAttemptOutcome =
  | 'begun'
  /** This trunk carries as many calls as it may: another one may do. */
  | 'no_channel'
  /** The right to the call is over, or could not be ascertained: nothing may be sent to any trunk. */
  | 'refused';

export interface Carrier {
  /** Stored with the call, so that the right driver ends an orphaned leg. */
  readonly name: string;
  /** Whether it asks `beginAttempt` before it sends anything: then a call that has no dialog was never dialled. */
  readonly writeAheadDial: boolean;
  dial(request: DialRequest): Leg;
  /** Ends a leg whose worker is gone. `gone` once the far end confirmed it or does not know it. */
  endOrphan(dialog: LegDialog): Promise<'gone' | 'unknown'>;
}
