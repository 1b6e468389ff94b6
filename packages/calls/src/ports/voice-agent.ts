import type { AgentSettings, AnsweredBy, CallFailure, Turn } from '@outdial/contracts';
import type { Frame } from './carrier.ts';

/** Why an agent wants the call to be over. */
export type AgentHangUp = 'agent_hangup' | 'voicemail_reached' | 'call_screened' | 'silence_timeout' | 'agent_error';

export type VoiceAgentEvent =
  | { readonly kind: 'answered_by'; readonly answeredBy: AnsweredBy }
  /** A turn is over, whoever's it was. */
  | { readonly kind: 'turn'; readonly turn: Turn }
  /** The callee spoke into the agent's turn: what was queued for it is dropped. */
  | { readonly kind: 'interrupted'; readonly atMs: number }
  | { readonly kind: 'send_digits'; readonly digits: string }
  /** `failure`: why, with `agent_error`. */
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp; readonly failure?: CallFailure };

export interface VoiceAgentResult {
  readonly transcript: readonly Turn[];
  readonly answeredBy: AnsweredBy;
  /** States only what is known; null where nothing is. */
  readonly summary: string | null;
}

/**
 * One conversation. The media clock pushes what is heard and pulls what is said, a frame at a time; the agent counts
 * its time in frames, so that the milliseconds it reports are those that were played. `hear` is called once for every
 * 20 ms from the answer on, `speak` at most once after each: an agent that was not ready at the answer first hears what
 * it missed.
 */
export interface VoiceAgent {
  listen(listener: (event: VoiceAgentEvent) => void): void;
  /** One frame of the callee's sound, silence included. */
  hear(frame: Frame): void;
  hearDigits(digits: string): void;
  /**
   * The callee has put the call on hold, or has come back. Time goes on, frames too, but nobody is there: what is heard
   * is not the callee, what is said would be lost, and nobody's silence is waited out.
   */
  hold(held: boolean): void;
  /** The next frame to play; undefined for silence. */
  speak(): Frame | undefined;
  /** Ends the conversation, closing the turn under way, and tells what came of it. Idempotent. */
  finish(): VoiceAgentResult;
}

export interface VoiceAgentFactory {
  /**
   * Prepares an agent before the callee answers, so that its first words are ready. Rejects with an `AgentError` where
   * the customer can be told why.
   */
  prepare(input: {
    readonly settings: AgentSettings;
    readonly variables: Readonly<Record<string, string>>;
  }): Promise<VoiceAgent>;
}

/** Text to speech, 8 kHz mono, without leading silence. */
export interface SpeechSynthesizer {
  synthesize(input: { readonly text: string; readonly voice: AgentSettings['voice'] }): Promise<Int16Array>;
}

/** An agent cannot go on, for a reason that the customer is told of. The message is for the log. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly failure: CallFailure;

  constructor(failure: CallFailure, options: ErrorOptions) {
    super(`the agent failed: ${failure.code}${failure.field === null ? '' : ` at ${failure.field}`}`, options);
    this.failure = failure;
  }
}

/** What a customer is told of an agent's error. */
export function callFailureOf(error: unknown): CallFailure {
  return error instanceof AgentError ? error.failure : { code: 'agent_failed', field: null };
}
