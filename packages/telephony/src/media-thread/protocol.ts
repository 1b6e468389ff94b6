import type { ConversationEvent, ConversationResult } from '@outdial/calls';
import type { AgentSettings, CallId } from '@outdial/contracts';
import type { RemoteMedia } from '../rtp/remote-media.ts';
import type { RtpReport } from '../rtp/rtp-session.ts';
import type { LatenessCounts } from './lateness.ts';
import type { SoundCounts } from './sound-totals.ts';

/** Names a session between the two threads. */
export type SessionId = number;

/**
 * Until when a call may talk. Threads have different monotonic zeros, so it crosses as both: so long from when the
 * message is read, and not beyond that time of the wall clock, however long the message lay.
 */
export interface StopTime {
  readonly remainingMs: number;
  readonly wallMs: number;
}

/** From the main thread. What names a session that is gone has no effect, except that `finish` and `close` are answered. */
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
  | { readonly kind: 'held'; readonly sessionId: SessionId; readonly held: boolean }
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
  /** Nothing was heard of the far end for as long as the host was told to wait. */
  | { readonly kind: 'no_audio' }
  /** The right to talk was not renewed in time: the session has fallen silent for good. */
  | { readonly kind: 'expired' };

export interface MediaMetrics {
  readonly sessions: number;
  /** Since the metrics before these. */
  readonly lateness: LatenessCounts;
  /** Since the thread began. */
  readonly sound: SoundCounts;
}

/** To the main thread. */
export type FromHost =
  | { readonly kind: 'open_outcome'; readonly sessionId: SessionId; readonly outcome: OpenOutcome }
  | { readonly kind: 'session_event'; readonly sessionId: SessionId; readonly event: MediaSessionEvent }
  | { readonly kind: 'conversation_event'; readonly sessionId: SessionId; readonly event: ConversationEvent }
  | { readonly kind: 'finished'; readonly sessionId: SessionId; readonly result: ConversationResult }
  | { readonly kind: 'closed'; readonly sessionId: SessionId; readonly report: RtpReport | null }
  | { readonly kind: 'metrics'; readonly metrics: MediaMetrics }
  | { readonly kind: 'error'; readonly message: string; readonly stack: string | null };

/** What comes of a conversation of which nothing is known. */
export const NOTHING_SAID: ConversationResult = {
  transcript: null,
  summary: null,
  answeredBy: null,
  recordingKey: null,
};
