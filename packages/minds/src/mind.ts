/** What a provider bills. Quantities never overlap: cached tokens are not in the uncached count. */
export type UsageUnit =
  | 'input_text_token'
  | 'cached_input_text_token'
  | 'input_audio_token'
  | 'cached_input_audio_token'
  | 'output_text_token'
  | 'output_audio_token'
  | 'second'
  | 'character'
  | 'request';

export type MindComponent = 'realtime' | 'stt' | 'llm' | 'tts';

export interface UsageEntry {
  readonly component: MindComponent;
  readonly provider: string;
  readonly model: string;
  readonly unit: UsageUnit;
  readonly quantity: number;
  /** The provider reported nothing, as for a request that was canceled: the quantity is ours. */
  readonly estimated?: true;
}

/**
 * Why a provider failed.
 *
 * - `unreachable`: no connection in time, or a 5xx.
 * - `rejected`: the credential, the model or the settings; another attempt fails the same way.
 * - `rate_limited`: 429, or the provider's word for it.
 * - `dropped`: the connection ended during the call, cleanly or not.
 * - `stalled`: the provider no longer takes what we send.
 * - `invalid_response`: it sent something that the protocol does not have.
 */
export type ProviderFailureKind =
  | 'unreachable'
  | 'rejected'
  | 'rate_limited'
  | 'dropped'
  | 'stalled'
  | 'invalid_response';

export interface ProviderFailure {
  readonly component: MindComponent;
  readonly kind: ProviderFailureKind;
  /** For the log: at most 300 characters, without the credential. */
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** The provider ended its work for what it was sent, or for its age: that shows nothing about its health. */
  readonly blamesRequest?: true;
}

/** What a chain of models needs of the time until an answer sounds. */
export interface AnswerDelays {
  /** From the end of the callee's words to the end of the turn, as the ears of the chain report it. Null: no turn. */
  readonly endpointingMs: number | null;
  /** From there to the first token of the answer; 0 if it was there. */
  readonly llmTtftMs: number;
  /** From there to the first sound: its first words are written, and the voice speaks them. */
  readonly ttsTtfbMs: number;
}

/** An item is one answer of the mind. Its name is unique within a call. */
export type MindEvent =
  /** The provider has accepted the settings. */
  | { readonly kind: 'ready' }
  /** Sound of an answer, in µ-law at 8 kHz. It comes faster than it is played. */
  | { readonly kind: 'sound'; readonly item: string; readonly ulaw: Uint8Array }
  /** Words of an answer, in order; they may come before or after their sound. */
  | {
      readonly kind: 'words';
      readonly item: string;
      readonly text: string;
      /** Where the words are in the item's sound; only from providers that report it. */
      readonly place?: { readonly startMs: number; readonly endMs: number };
    }
  /** Just before the first sound of an answer that a model wrote; only from chains of models. */
  | ({ readonly kind: 'answer_timed'; readonly item: string } & AnswerDelays)
  /** No more sound follows for this item. `isLost`: its connection is, and what is missing comes as another item. */
  | { readonly kind: 'item_over'; readonly item: string; readonly isLost?: true }
  | { readonly kind: 'callee_speaking'; readonly atMs: number }
  /** What the callee said, with its place in the call. A null text was heard and not understood. */
  | {
      readonly kind: 'callee_said';
      readonly turn: string;
      readonly text: string | null;
      readonly startMs: number;
      readonly endMs: number;
    }
  /** The model calls a tool; it waits for `toolResult`. */
  | { readonly kind: 'tool_call'; readonly id: string; readonly name: string; readonly argumentsText: string }
  /** An answer is complete: all of its items, tool calls and usage have been emitted. */
  | {
      readonly kind: 'answer_over';
      readonly outcome: 'completed' | 'cancelled' | 'incomplete';
      readonly empty: boolean;
    }
  /** The provider could not answer, and stays connected: the caller may ask again, unless the mind does. */
  | {
      readonly kind: 'answer_failed';
      readonly failure: ProviderFailure;
      /** The mind asks again by itself. */
      readonly isRetried?: true;
    }
  /** A connection was lost and is back, or a fallback took its place; nothing that was said is forgotten. */
  | { readonly kind: 'recovered'; readonly failure: ProviderFailure; readonly afterMs: number }
  /** Little is left of what the provider allows in a minute: more calls would get none of it. Emitted with each answer. */
  | { readonly kind: 'near_limit' }
  /** The provider will end the connection soon: another takes its place in the next pause. */
  | { readonly kind: 'expiring' }
  /** Something that the driver ignored; for the log, without sound or words. */
  | { readonly kind: 'ignored'; readonly message: string }
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  /** The last event of a mind that failed. */
  | { readonly kind: 'failed'; readonly failure: ProviderFailure };

/** What was said and done so far, as a new connection needs it. */
export type HistoryItem =
  | { readonly kind: 'callee'; readonly text: string }
  /** As it was heard: of a cut answer, the words that were played. */
  | { readonly kind: 'agent'; readonly text: string }
  | { readonly kind: 'tool_call'; readonly id: string; readonly name: string; readonly argumentsText: string }
  | { readonly kind: 'tool_result'; readonly id: string; readonly output: string }
  /** Of the supervisor, for the model alone. It holds from here on. */
  | { readonly kind: 'instruction'; readonly text: string };

/**
 * A turn of the callee, as the ear hears it. `began` and `resumed` come some frames after their moment, `paused` 200 ms after
 * the end of the speech before it. After `ended` the callee may still go on: that is the next turn of the ear.
 */
export interface CalleeSpeech {
  readonly kind: 'began' | 'paused' | 'resumed' | 'ended';
  readonly atMs: number;
}

/** How the callee is to hear what a mind was asked for. */
export interface Asked {
  /** To its end, also while the callee speaks: a model that stops by itself hears them afterwards. */
  readonly isWhole?: boolean;
}

/**
 * What answers the callee: one per call. It hears from the first frame on, and says nothing until `openGate`. All times
 * are milliseconds of the call.
 */
export interface Mind {
  /** A stretch of the callee's sound in µ-law; `fromMs` is the time of its first sample. */
  hear(ulaw: Uint8Array, fromMs: number): void;
  /** What the ear heard. A mind that gets words from elsewhere notices by it that nothing comes. */
  calleeSpeech?(speech: CalleeSpeech): void;
  /** From now on the mind may answer when the callee has finished a turn. Idempotent. */
  openGate(): void;
  /** Speaks this text, word for word, without tools. */
  say(text: string, how?: Asked): void;
  /** Answers now, without waiting for the callee; `hint` is for the model alone. */
  respond(hint?: string, how?: Asked): void;
  /**
   * What the supervisor asks of the model during the call: it holds from its next answer on, and also over another connection.
   * It begins no answer and ends none, and the callee hears nothing of it.
   */
  instruct(text: string): void;
  /** The callee broke into an item: what was not played is forgotten. `heardText`: the words that were played. */
  cut(input: { readonly item: string; readonly playedMs: number; readonly heardText: string }): void;
  /** Keys that the callee pressed. The model answers them like speech. */
  pressed(digits: string): void;
  /** The callee has waited too long for an answer that has not begun to sound. A mind that has a fallback asks it too. */
  late?(): void;
  /** The result of a tool, for the model. Answers once all tools of that answer have results. */
  toolResult(input: { readonly id: string; readonly output: string; readonly answer: boolean }): void;
  /**
   * The call is over: the callee's last turn ends here, and no answer follows. Resolves once the words and the usage that
   * were under way have been emitted. A provider may never send them: the caller has a limit.
   */
  callOver(): Promise<void>;
  /** Ends the conversation. Usage that was not reported yet is emitted before it returns. Idempotent. No event follows. */
  close(): void;
}
