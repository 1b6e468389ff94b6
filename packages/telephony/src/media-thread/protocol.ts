import type { CallSound, ConversationEvent, ConversationResult, TransferFailure } from '@outdial/calls';
import type { AgentSettings, CallId } from '@outdial/contracts';
import type { RemoteMedia } from '../rtp/remote-media.ts';
import type { RtpReport } from '../rtp/rtp-session.ts';
import type { LatenessCounts } from './lateness.ts';
import type { SoundCounts } from './sound-totals.ts';

/** Identifies a session between the two threads. */
export type SessionId = number;

/**
 * When a call must stop talking. Threads have different monotonic zeros, so the moment is sent twice: as a duration
 * from when the message is read, and as a wall-clock time that is never exceeded, however long the message was queued.
 */
export interface StopTime {
  readonly remainingMs: number;
  readonly wallMs: number;
}

/**
 * From the main thread. A message for a session that is gone has no effect, except that `finish`, `close` and `instruct`
 * are answered.
 */
export type ToHost =
  | { readonly kind: 'open'; readonly sessionId: SessionId; readonly callId: CallId; readonly stopTime: StopTime }
  | {
      readonly kind: 'prepare';
      readonly sessionId: SessionId;
      readonly settings: AgentSettings;
      readonly variables: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'set_remote'; readonly sessionId: SessionId; readonly remote: RemoteMedia }
  | { readonly kind: 'answered'; readonly sessionId: SessionId }
  | { readonly kind: 'on_hold'; readonly sessionId: SessionId; readonly isOnHold: boolean }
  | { readonly kind: 'transfer_failed'; readonly sessionId: SessionId; readonly failure: TransferFailure }
  /** Report the sound of the call for so long. `taken` counts the batches that this side has read. */
  | {
      readonly kind: 'tap_sound';
      readonly sessionId: SessionId;
      readonly forMs: number;
      readonly taken: SharedArrayBuffer;
    }
  /** Answered with `instructed`. It is not taken after `untilWallMs`: its sender has read by then that it was not. */
  | {
      readonly kind: 'instruct';
      readonly sessionId: SessionId;
      readonly nth: number;
      readonly text: string;
      readonly untilWallMs: number;
    }
  /** The session of the second leg. */
  | { readonly kind: 'introduce'; readonly sessionId: SessionId; readonly secondId: SessionId }
  | { readonly kind: 'press'; readonly sessionId: SessionId; readonly digits: string }
  | { readonly kind: 'may_talk_until'; readonly sessionId: SessionId; readonly stopTime: StopTime }
  | { readonly kind: 'stop'; readonly sessionId: SessionId }
  | { readonly kind: 'finish'; readonly sessionId: SessionId }
  | { readonly kind: 'close'; readonly sessionId: SessionId };

export type OpenOutcome =
  | { readonly kind: 'opened'; readonly rtpPort: number }
  /** Every port of the range is taken. */
  | { readonly kind: 'ports_exhausted' }
  | { readonly kind: 'failed'; readonly message: string };

export type MediaSessionEvent =
  | { readonly kind: 'digit'; readonly digit: string }
  /** No packet came from the far end for the configured time. */
  | { readonly kind: 'no_audio' }
  /** The right to talk was not renewed in time: the session is silent for good. */
  | { readonly kind: 'expired' };

export interface MediaMetrics {
  readonly sessions: number;
  /** Since the previous metrics. */
  readonly lateness: LatenessCounts;
  /** Since the thread started. */
  readonly sound: SoundCounts;
}

/** To the main thread. */
export type FromHost =
  | { readonly kind: 'open_outcome'; readonly sessionId: SessionId; readonly outcome: OpenOutcome }
  | { readonly kind: 'session_event'; readonly sessionId: SessionId; readonly event: MediaSessionEvent }
  | { readonly kind: 'conversation_event'; readonly sessionId: SessionId; readonly event: ConversationEvent }
  | { readonly kind: 'sound'; readonly sessionId: SessionId; readonly sound: CallSound }
  /** To the instruction of this number. */
  | { readonly kind: 'instructed'; readonly sessionId: SessionId; readonly nth: number; readonly isTaken: boolean }
  | { readonly kind: 'finished'; readonly sessionId: SessionId; readonly result: ConversationResult }
  | { readonly kind: 'closed'; readonly sessionId: SessionId; readonly report: RtpReport | null }
  | { readonly kind: 'metrics'; readonly metrics: MediaMetrics }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | null };

/** The result of a conversation about which nothing is known. */
export const EMPTY_RESULT: ConversationResult = {
  transcript: null,
  summary: null,
  answeredBy: null,
  recordingKey: null,
};
