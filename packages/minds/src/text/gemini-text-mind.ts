import { randomUUID } from 'node:crypto';
import type { Clock, Timer } from '@outdial/kernel';
import type { ProviderFailure } from '../mind.ts';
import { Asks } from '../realtime/asks.ts';
import { GeminiConnection } from '../realtime/gemini/connection.ts';
import { FunctionCalls } from '../realtime/gemini/function-calls.ts';
import { content } from '../realtime/gemini/history-turns.ts';
import { respondNote } from '../realtime/notes.ts';
import type { GeminiLiveSettings } from '../realtime/gemini/settings.ts';
import { liveUsage } from '../realtime/gemini/usage.ts';
import type { ServerMessage } from '../realtime/gemini/wire.ts';
import type { OpenSocket } from '../sockets.ts';
import type { TextMind, TextMindEvent } from './text-mind.ts';

export interface GeminiTextMindInput {
  readonly settings: GeminiLiveSettings;
  readonly credential: string;
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  readonly listener: (event: TextMindEvent) => void;
}

type Json = Readonly<Record<string, unknown>>;

/** Without any event of an answer for as long, the model has failed. */
const SILENT_MS = 15_000;

/** A conversation in text with a model of Google's Live API, which has no session of text: it speaks, and its words are read. */
export function openGeminiTextMind(input: GeminiTextMindInput): TextMind {
  return new GeminiTextMind(input);
}

class GeminiTextMind implements TextMind {
  readonly #input: GeminiTextMindInput;
  readonly #connection: GeminiConnection;
  readonly #asks: Asks<Json>;
  readonly #calls = new FunctionCalls([]);
  /** Messages from before the provider accepted the settings. */
  readonly #early: Json[] = [];
  #timer: Timer | null = null;
  #answers = 0;
  #isEmpty = true;
  #closed = false;

  constructor(input: GeminiTextMindInput) {
    this.#input = input;
    this.#asks = new Asks((message) => {
      this.#watch();
      this.#connection.send(message);
    });
    this.#connection = new GeminiConnection(input.settings, input, {
      accepted: () => {
        for (const message of this.#early.splice(0)) this.#connection.send(message);
        this.#asks.start();
      },
      received: (message) => this.#handle(message),
      ignored: (message) => this.#emit({ kind: 'ignored', message }),
      failed: (failure) => this.#failed(failure),
    });
  }

  hear(text: string): void {
    this.#asks.ask(content('user', text, true));
  }

  said(text: string): void {
    this.#send(content('model', text, false));
  }

  respond(hint?: string): void {
    this.#asks.ask(content('user', respondNote(hint), true));
  }

  toolResult(given: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    const result = this.#calls.result(given);
    if (result === null) return;
    if (result.isAnswered) this.#asks.ask(result.message);
    else this.#send(result.message);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer?.cancel();
    this.#connection.close();
  }

  #send(message: Json): void {
    if (this.#connection.isAccepted) this.#connection.send(message);
    else this.#early.push(message);
  }

  #emit(event: TextMindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #handle({ serverContent, toolCall, toolCallCancellation, usageMetadata }: ServerMessage): void {
    if (serverContent !== undefined || toolCall !== undefined) this.#watch();
    const text = serverContent?.outputTranscription?.text ?? '';
    if (text !== '') {
      this.#isEmpty = false;
      this.#emit({ kind: 'words', item: `answer_${this.#answers}`, text });
    }
    for (const { id = randomUUID(), name, args } of toolCall?.functionCalls ?? []) {
      this.#isEmpty = false;
      this.#calls.called(id, name);
      this.#emit({ kind: 'tool_call', id, name, argumentsText: JSON.stringify(args) });
    }
    for (const id of toolCallCancellation?.ids ?? []) this.#calls.cancelled(id);
    if (usageMetadata !== undefined) {
      this.#emit({ kind: 'usage', entries: liveUsage(this.#input.settings.model, usageMetadata) });
    }
    if (serverContent?.turnComplete === true) this.#answerOver();
  }

  #answerOver(): void {
    this.#timer?.cancel();
    this.#emit({ kind: 'answer_over', outcome: 'completed', empty: this.#isEmpty });
    this.#isEmpty = true;
    this.#answers += 1;
    this.#asks.answerOver();
  }

  #watch(): void {
    this.#timer?.cancel();
    this.#timer = this.#input.clock.after(SILENT_MS, () =>
      this.#failed(this.#connection.failure('unreachable', 'no answer in time')),
    );
  }

  #failed(failure: ProviderFailure): void {
    this.#emit({ kind: 'failed', failure });
    this.close();
  }
}
