import type { Clock, Timer } from '@outdial/kernel';
import { providerFailure } from '../failure.ts';
import type { HistoryItem, Mind, MindEvent } from '../mind.ts';
import { saidNote, typedNote } from '../realtime/notes.ts';
import { openOpenAiLiveMind } from '../realtime/openai-live/openai-live-mind.ts';
import type { OpenAiLiveSettings } from '../realtime/openai-live/settings.ts';
import type { OpenSocket } from '../sockets.ts';
import { BYTES_PER_MS, ULAW_SILENCE } from '../sound/ulaw.ts';
import type { TextMind, TextMindEvent } from './text-mind.ts';

export interface OpenAiLiveTextMindInput {
  readonly settings: OpenAiLiveSettings;
  readonly credential: string;
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  readonly listener: (event: TextMindEvent) => void;
}

/** The model speaks in the time of what it hears: silence. The time of the session is billed either way. */
const TICK_MS = 100;
const SILENCE = new Uint8Array(TICK_MS * BYTES_PER_MS).fill(ULAW_SILENCE);
/** Without any event of an answer for as long, the model has failed. */
const SILENT_MS = 15_000;

/** A conversation in text with a model of GPT-Live, which has no session of text: it speaks, and its words are read. */
export function openOpenAiLiveTextMind(input: OpenAiLiveTextMindInput): TextMind {
  return new OpenAiLiveTextMind(input);
}

class OpenAiLiveTextMind implements TextMind {
  readonly #input: OpenAiLiveTextMindInput;
  /** What was said before the model was asked anything. */
  readonly #history: HistoryItem[] = [];
  #mind: Mind | null = null;
  /** Said by no model since the last request. */
  #said = '';
  #heardMs = 0;
  #silentMs = 0;
  #isAwaited = false;
  #ticks: Timer | null = null;
  #closed = false;

  constructor(input: OpenAiLiveTextMindInput) {
    this.#input = input;
  }

  hear(text: string): void {
    this.#ask(typedNote(text));
  }

  said(text: string): void {
    if (this.#mind === null) this.#history.push({ kind: 'agent', text });
    else this.#said += `${saidNote(text)} `;
  }

  respond(hint?: string): void {
    this.#ask(hint);
  }

  toolResult(given: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    this.#mind?.toolResult(given);
  }

  close(): void {
    if (this.#closed) return;
    this.#mind?.close();
    this.#closed = true;
    this.#ticks?.cancel();
  }

  #ask(hint: string | undefined): void {
    if (this.#closed) return;
    this.#mind ??= this.#open();
    const said = this.#said;
    this.#said = '';
    this.#mind.respond(said === '' ? hint : `${said}${hint ?? ''}`);
    this.#isAwaited = true;
    this.#silentMs = 0;
    if (this.#ticks === null) this.#tick();
  }

  #open(): Mind {
    const { listener: _listener, ...access } = this.#input;
    const mind = openOpenAiLiveMind({
      ...access,
      history: this.#history,
      listener: (event) => this.#receive(event),
    });
    mind.openGate();
    return mind;
  }

  #receive(event: MindEvent): void {
    this.#silentMs = 0;
    if (event.kind === 'answer_over' || event.kind === 'answer_failed' || event.kind === 'failed') {
      this.#isAwaited = false;
    }
    if (isTextEvent(event) && !this.#closed) this.#input.listener(event);
  }

  #tick(): void {
    this.#ticks = this.#input.clock.after(TICK_MS, () => this.#tick());
    this.#mind?.hear(SILENCE, this.#heardMs);
    this.#heardMs += TICK_MS;
    this.#silentMs += TICK_MS;
    if (this.#isAwaited && this.#silentMs >= SILENT_MS) this.#failed();
  }

  #failed(): void {
    const { credential } = this.#input;
    const failure = providerFailure({
      component: 'realtime',
      kind: 'unreachable',
      message: 'no answer in time',
      credential,
    });
    this.#receive({ kind: 'failed', failure });
    this.close();
  }
}

const TEXT_EVENTS: ReadonlySet<MindEvent['kind']> = new Set<TextMindEvent['kind']>([
  'words',
  'tool_call',
  'answer_over',
  'answer_failed',
  'ignored',
  'usage',
  'failed',
]);
const isTextEvent = (event: MindEvent): event is TextMindEvent => TEXT_EVENTS.has(event.kind);
