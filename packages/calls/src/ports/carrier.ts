import type { AccountId, CallId, E164, TransferTarget, TrunkName } from '@outdial/contracts';
import type { Trunk } from '../trunk.ts';

/** 20 ms of audio: mono, 8 kHz, 16-bit linear. Frames are shared: a frame that was handed over must not be modified. */
export const FRAME_MS = 20;
export const FRAME_SAMPLES = 160;
export const SAMPLE_RATE_HZ = 8_000;
export type Frame = Int16Array;

/** How a leg ended, before it is translated into an `EndedReason`. */
export type LegOutcome =
  /** It was answered and then ended by `by`. `carrier`: the network dropped it. */
  | 'completed'
  | 'busy'
  | 'no_answer'
  | 'declined'
  | 'invalid_destination'
  | 'rejected'
  | 'unavailable'
  /** We gave up before it was answered. */
  | 'cancelled'
  /** Answered, and then no media arrived any more. */
  | 'no_audio'
  /** Answered, and then our own audio had to stop: the lease was not renewed in time. */
  | 'silenced'
  /** `mayDial` returned false: nothing was sent. */
  | 'not_dialled';

export interface LegEnd {
  readonly outcome: LegOutcome;
  readonly by: 'callee' | 'us' | 'carrier';
  /** The carrier's last final response. */
  readonly sipCode: number | null;
  /** ITU-T Q.850 cause, if the carrier sent one. */
  readonly q850Cause: number | null;
  readonly retryAfterSeconds: number | null;
  /** The details of the final response that rejected the call, beside its code. */
  readonly refusal?: RefusalText;
}

export interface RefusalText {
  readonly reasonPhrase: string | null;
  readonly warning: string | null;
  readonly q850Text: string | null;
}

const MAX_SESSION_SECONDS = 1_800;
/** The far end rejects shorter intervals (RFC 4028 section 4). */
const MIN_SESSION_SECONDS = 90;

/** How long a far end may keep a call up without hearing anything of it: the SIP session interval (RFC 4028). */
export function sipSessionSecondsFor(maxDurationSeconds: number): number {
  return Math.min(MAX_SESSION_SECONDS, Math.max(MIN_SESSION_SECONDS, maxDurationSeconds));
}

/** The code of every answer: an INVITE has no other 2xx (RFC 3261 section 21.2). */
export const ANSWERED_SIP_CODE = 200;

/** What another worker needs to end this leg. Opaque JSON to all but the carrier that wrote it. */
export type LegDialog = Readonly<Record<string, unknown>>;

/** How the transfer of a leg went. */
export type TransferOutcome =
  /** The destination answered, or the far end has taken the callee away. Our leg is no longer needed. */
  | { readonly kind: 'transferred'; readonly sipCode: number | null }
  /** The far end did not try. */
  | { readonly kind: 'refused'; readonly sipCode: number | null }
  /** The far end called the destination in vain. */
  | { readonly kind: 'failed'; readonly sipCode: number | null }
  /** The far end has not reported in time. A success that it reports later follows as another event. */
  | { readonly kind: 'unreported' }
  /** The trunk that carries the leg is not set up for transfers to such a destination. Nothing was sent. */
  | { readonly kind: 'not_permitted' };

export type LegEvent =
  /** The leg's identity is known or has changed. It must be stored before another worker can end the leg. */
  | { readonly kind: 'dialog'; readonly dialog: LegDialog }
  /** The first provisional response above 100. */
  | { readonly kind: 'ringing'; readonly sipCode: number }
  /** The callee answered. Early media is never an answer. */
  | { readonly kind: 'answered' }
  | { readonly kind: 'on_hold'; readonly isOnHold: boolean }
  /** Follows `transfer`, unless the leg ends first. A late success names the target of an earlier request. */
  | { readonly kind: 'transfer'; readonly outcome: TransferOutcome; readonly target: TransferTarget }
  /** The last event, exactly once. */
  | { readonly kind: 'ended'; readonly end: LegEnd };

/** The audio of a leg, driven by the media clock: one frame in each direction every 20 ms. */
export interface LegMedia {
  /** The frame that is due now, valid until the next one; undefined if none arrived. */
  receive(): Frame | undefined;
  /** Copies the frame. */
  send(frame: Frame): void;
  /** Drops what was sent but not played yet, and returns its length in milliseconds. */
  clear(): number;
  /** The digits that the callee pressed since the last call of this method, in order. */
  receiveDigits(): string;
  sendDigits(digits: string): void;
}

/** The carrier's side of a call. */
export interface Leg {
  /** Null while another thread handles its audio; this thread's conversations then reach it by the call's id. */
  readonly media: LegMedia | null;
  /** Delivers all events in order, from the first one on, to one listener. */
  listen(listener: (event: LegEvent) => void): void;
  /**
   * CANCEL before the answer, BYE after it. No audio is sent from then on; `ended` follows once the far end is known to
   * be gone. Idempotent.
   */
  hangUp(): void;
  /**
   * Asks the far end to call the target and to connect the callee with it. The leg stays up, whatever comes of it.
   * One at a time.
   */
  transfer(request: { readonly target: TransferTarget; readonly timeoutMs: number }): void;
}

export interface DialRequest {
  readonly callId: CallId;
  /** For judging trunks: what a trunk does to the calls of one account says little about the trunk. */
  readonly accountId: AccountId;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly ringTimeoutMs: number;
  readonly maxDurationMs: number;
  /** A trunk that already has a channel for this call. It is tried first, if it may carry the call. */
  readonly acquiredTrunk: TrunkName | null;
  /**
   * Called in the same tick in which the first byte is sent, after everything slow (name look-up, connecting, a digest
   * challenge). False once the worker's lease may be over: then nothing is sent.
   */
  readonly mayDial: () => boolean;
  /**
   * Called after `mayDial` returned false. Waits while dialing is paused. True: call `mayDial` again, in the same tick;
   * false: the call must not be dialed any more, for example because its number is suppressed. Never rejects.
   */
  readonly awaitDialPermit: () => Promise<boolean>;
  /**
   * Called by a carrier with several trunks before it sends anything to a trunk, for every dial attempt, and before it
   * tries another address of the same trunk. Only `begun` lets it continue: the trunk then has a channel for the call, and
   * Postgres has `dialog`, with which another worker can end the leg. Never rejects.
   */
  readonly beginAttempt: (trunk: Trunk, dialog: LegDialog) => Promise<DialAttemptOutcome>;
  /**
   * Resolves once Postgres has every dialog that was emitted so far. Awaited before anything that would leave a leg up
   * that no other worker could end: an INVITE that differs from the one that the attempt began with, and the ACK to an
   * answer. Never resolves if another worker owns the call.
   */
  readonly recorded: () => Promise<void>;
  /** Called with the code of each response to an attempt, for its trace. Must not throw. */
  readonly onResponse?: (sipCode: number) => void;
  /** How long the worker may use the call, as far as is known now, by the monotonic clock. */
  readonly rightEndsAtMs: () => number;
}

export type DialAttemptOutcome =
  | 'begun'
  /** This trunk carries its maximum number of calls; another trunk may have room. */
  | 'no_channel'
  /** The lease is over, or its state is unknown: nothing may be sent to any trunk. */
  | 'refused';

export interface Carrier {
  /** Stored with the call, so that the right driver ends an orphaned leg. */
  readonly name: string;
  /** Whether it calls `beginAttempt` before it sends anything: then a call without a dialog was never dialed. */
  readonly writeAheadDial: boolean;
  dial(request: DialRequest): Leg;
  /** Ends a leg whose worker is gone. `gone` once the far end confirmed it or does not know the leg. */
  endOrphan(dialog: LegDialog): Promise<'gone' | 'unknown'>;
}
