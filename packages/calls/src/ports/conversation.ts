import type { AgentSettings, AnsweredBy, CallFailure, CallId, Turn } from '@outdial/contracts';
import type { Leg } from './carrier.ts';
import type { AgentHangUp } from './voice-agent.ts';

export interface ConversationResult {
  readonly transcript: readonly Turn[] | null;
  readonly summary: string | null;
  readonly answeredBy: AnsweredBy | null;
  /** Where the recording lies, as the RecordingStore names it; null if there is none. */
  readonly recordingKey: string | null;
}

export type ConversationEvent =
  | { readonly kind: 'answered_by'; readonly answeredBy: AnsweredBy }
  /** `failure`: why, with `agent_error`. */
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp; readonly failure?: CallFailure };

/** A leg, an agent and a recording, joined by the media clock. */
export interface Conversation {
  listen(listener: (event: ConversationEvent) => void): void;
  /** The callee has picked up: from now on both are heard and recorded. */
  answered(): void;
  /** The callee has put the call on hold, or has come back. What is received meanwhile is recorded all the same. */
  held(held: boolean): void;
  /** Stops the clock for this call, closes the recording and tells what came of it. Idempotent; never rejects. */
  finish(): Promise<ConversationResult>;
}

export interface Conversations {
  /** Prepares agent and recording while the far end rings, so that nothing is slow at the answer. */
  open(input: {
    readonly callId: CallId;
    readonly leg: Leg;
    readonly settings: AgentSettings;
    readonly variables: Readonly<Record<string, string>>;
  }): Conversation;
}
