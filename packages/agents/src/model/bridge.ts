import type { CallId, Component, UsageEntry } from '@outdial/contracts';
import type { AnswerDelays, ProviderHangUp } from '@outdial/calls';

/** What a model may do to the call itself. */
export type Act =
  | { readonly kind: 'end_call'; readonly reason: string | null }
  /** A comma is a pause of 500 ms. */
  | { readonly kind: 'press_digits'; readonly digits: string }
  | { readonly kind: 'leave_voicemail' }
  /** To a destination of a tool of the settings: the model knows it by its name alone. */
  | {
      readonly kind: 'transfer';
      readonly tool: string;
      readonly destination: string;
      /** Of a warm transfer: what the person who answers is to hear. */
      readonly summary?: string;
    }
  /** Confirms what `opted_out` has reported, and ends the call. */
  | { readonly kind: 'opt_out'; readonly reason: string | null };

/**
 * From an agent in the media thread to the mind of its call in the model thread. Times are milliseconds of the call.
 * Sound is µ-law at 8 kHz, 40 ms a message.
 */
export type ToMind =
  | { readonly kind: 'audio'; readonly ulaw: Uint8Array<ArrayBuffer>; readonly fromMs: number }
  /**
   * What the ear makes of the callee's sound: a mind that understands nothing of it notices. `paused` comes 200 ms after the
   * speech that it dates, `resumed` with the speech that follows, `ended` when the turn is over.
   */
  | { readonly kind: 'speech'; readonly is: 'began' | 'paused' | 'resumed' | 'ended'; readonly atMs: number }
  /** From now on the mind may answer by itself. */
  | { readonly kind: 'open_gate' }
  /** `isWhole`: the callee cannot break in. */
  | { readonly kind: 'say'; readonly text: string; readonly isWhole?: true }
  | { readonly kind: 'respond'; readonly hint: string | null; readonly isWhole?: true }
  /** Of the supervisor: for the model alone, from its next answer on. */
  | { readonly kind: 'instruct'; readonly text: string }
  /** The callee has waited too long for an answer: a fallback may give it. */
  | { readonly kind: 'late' }
  | { readonly kind: 'cut'; readonly item: string; readonly playedMs: number; readonly heardText: string }
  | { readonly kind: 'digits'; readonly digits: string }
  /** An act was carried out, or was not. The model answers to it if `answer`. */
  | { readonly kind: 'act_done'; readonly id: string; readonly output: string; readonly answer: boolean }
  /** Answered with `closed`, once the last words and the last usage have been sent. */
  | { readonly kind: 'close' };

/** From the mind of a call to its agent. */
export type FromMind =
  | { readonly kind: 'ready' }
  | { readonly kind: 'sound'; readonly item: string; readonly ulaw: Uint8Array<ArrayBuffer> }
  | {
      readonly kind: 'words';
      readonly item: string;
      readonly text: string;
      /** Where they are in the item's sound; only from voices that report it. */
      readonly place?: { readonly startMs: number; readonly endMs: number };
    }
  /** Just before the first sound of an answer. */
  | ({ readonly kind: 'answer_timed'; readonly item: string } & AnswerDelays)
  /** `isLost`: with its connection. The mind answers again over the next one. */
  | { readonly kind: 'item_over'; readonly item: string; readonly isLost?: true }
  | { readonly kind: 'callee_speaking'; readonly atMs: number }
  | { readonly kind: 'callee_said'; readonly text: string | null; readonly startMs: number; readonly endMs: number }
  /** `empty`: without sound and without a tool. */
  | { readonly kind: 'answer_over'; readonly empty: boolean }
  | { readonly kind: 'act'; readonly id: string; readonly act: Act }
  /** The callee wants no more calls, as the model understood. The act follows once the answer is complete. */
  | { readonly kind: 'opted_out'; readonly note: string | null }
  | { readonly kind: 'tool_started' }
  | {
      readonly kind: 'tool_called';
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      readonly result: string | null;
      readonly outcome: 'ok' | 'failed' | 'refused';
      readonly durationMs: number;
      /** The model goes on with the result. */
      readonly answers: boolean;
    }
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  | { readonly kind: 'recovered'; readonly component: Component; readonly failure: string; readonly afterMs: number }
  /** The last event of a mind that failed, except for `closed`. */
  | {
      readonly kind: 'failed';
      /** Null: the mind as a whole. */
      readonly component: Component | null;
      readonly failure: string;
      readonly reason: ProviderHangUp;
    }
  | { readonly kind: 'closed' };

/** Between the threads. */
export type ToModelThread =
  | { readonly kind: 'attach'; readonly callId: CallId }
  | { readonly kind: 'call'; readonly callId: CallId; readonly message: ToMind }
  | { readonly kind: 'ping'; readonly nth: number };

export type FromModelThread =
  | { readonly kind: 'call'; readonly callId: CallId; readonly message: FromMind }
  | { readonly kind: 'pong'; readonly nth: number };

/** An agent's end of the bridge. */
export interface MindLine {
  /** Copies the sound of a message. */
  send(message: ToMind): void;
  /** No event is delivered any more. Idempotent. */
  release(): void;
}

/** The bridge, as agents see it. */
export interface MindLink {
  /** Connects an agent to the mind of its call. A mind that cannot be reached reports `failed`. */
  attach(callId: CallId, listener: (event: FromMind) => void): MindLine;
}
