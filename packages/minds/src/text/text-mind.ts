import type { MindEvent } from '../mind.ts';

/** What a conversation in text reports. There is no sound, and one answer at a time. */
export type TextMindEvent = Extract<
  MindEvent,
  { readonly kind: 'words' | 'tool_call' | 'answer_over' | 'answer_failed' | 'ignored' | 'usage' | 'failed' }
>;

/** What answers a person who types: an agent's model without ears and voice. */
export interface TextMind {
  /** What the person wrote. The model answers it, after what it is doing now. */
  hear(text: string): void;
  /** Words of the agent that no model made: they are remembered as said. */
  said(text: string): void;
  /** Answers now; `hint` is for the model alone. */
  respond(hint?: string): void;
  /** The result of a tool. The model answers once all tools of its answer have results. */
  toolResult(input: { readonly id: string; readonly output: string; readonly answer: boolean }): void;
  /** Ends the conversation. Usage that was not reported yet is emitted before it returns. Idempotent. No event follows. */
  close(): void;
}
