import type { ResponseParameters } from '../responses.ts';
import type { OpenAiRealtimeSettings, TurnEnds } from '../settings.ts';

type Json = Readonly<Record<string, unknown>>;

/** In what a provider of the Realtime API differs from OpenAI. Barge-in is decided on our side everywhere. */
export interface RealtimeDialect {
  readonly provider: 'openai' | 'azure' | 'xai';
  readonly headers: (credential: string) => Readonly<Record<string, string>>;
  /** The `session` that begins a connection. */
  readonly session: (settings: OpenAiRealtimeSettings, turns: TurnEnds) => Json;
  /** The `session` that changes the ends of turns. */
  readonly turnEnds: (settings: OpenAiRealtimeSettings, turns: TurnEnds) => Json;
  /** The `session` of a conversation in text. */
  readonly textSession: (settings: OpenAiRealtimeSettings) => Json;
  /** With these a response speaks this text, word for word. */
  readonly speech: (text: string) => ResponseParameters;
  /** The `session` that changes the instructions. Null: the conversation takes those of a supervisor as items. */
  readonly instructed: ((instructions: string) => Json) | null;
  /** `time`: the connection and each item of text, so that it is made with the callee's first sound. */
  readonly billedBy: 'tokens' | 'time';
  /** A response that is canceled before its first sound has no end. */
  readonly leavesCancelledOpen: boolean;
}
