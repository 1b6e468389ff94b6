import type { HistoryItem, Mind, MindEvent, ProviderFailure } from '../../mind.ts';
import { HeldBackSound } from '../../sound/held-back-sound.ts';
import { ToolCalls } from '../../tool-calls.ts';
import { AnswerEvents } from './answer-events.ts';
import { Answers } from './answers.ts';
import { BilledTime } from './billed-time.ts';
import { CalleeWords } from './callee-words.ts';
import { OpenAiConnection, type OpenAiAccess, type WireError } from './connection.ts';
import { conversationItem } from './conversation-item.ts';
import { OnceHeardMind } from '../once-heard-mind.ts';
import { Responses } from './responses.ts';
import { SessionSettings } from './session-settings.ts';
import type { OpenAiRealtimeSettings } from './settings.ts';
import { transcriptionUsage } from './usage.ts';
import { isHeardEvent, type HeardEvent } from './wire.ts';

export interface OpenAiMindInput extends OpenAiAccess {
  readonly settings: OpenAiRealtimeSettings;
  readonly listener: (event: MindEvent) => void;
  /** Of an earlier connection of this call. */
  readonly history?: readonly HistoryItem[];
}

/** A speech-to-speech conversation over OpenAI's Realtime API or a dialect of it, in µ-law at 8 kHz both ways. */
export function openOpenAiMind(input: OpenAiMindInput): Mind {
  return input.dialect.billedBy === 'time' ? new OnceHeardMind(() => new OpenAiMind(input)) : new OpenAiMind(input);
}

class OpenAiMind implements Mind {
  readonly #input: OpenAiMindInput;
  readonly #connection: OpenAiConnection;
  readonly #responses: Responses;
  readonly #answers = new Answers();
  readonly #answerEvents: AnswerEvents;
  readonly #session: SessionSettings;
  readonly #callee: CalleeWords;
  readonly #tools = new ToolCalls();
  readonly #heldBack = new HeldBackSound();
  /** Items from before the provider accepted the settings. */
  readonly #early: Readonly<Record<string, unknown>>[] = [];
  /** Null: tokens are billed. */
  readonly #time: BilledTime | null;
  #closed = false;
  #settled: (() => void) | undefined;

  constructor(input: OpenAiMindInput) {
    this.#input = input;
    const { settings, dialect, clock, history = [] } = input;
    this.#time =
      dialect.billedBy === 'tokens'
        ? null
        : new BilledTime(clock, this.#owner(settings.model), (entry) =>
            this.#emit({ kind: 'usage', entries: [entry] }),
          );
    this.#callee = new CalleeWords({
      isTranscribed: settings.transcription !== null,
      emit: (event) => this.#emit(event),
    });
    this.#responses = new Responses({
      leavesCancelledOpen: dialect.leavesCancelledOpen,
      send: (event) => this.#send(event),
      left: () => this.#answerEvents.over('cancelled'),
    });
    this.#session = new SessionSettings({
      dialect,
      settings,
      history,
      send: (event) => this.#send(event),
      isAsked: () => this.#responses.isAsked,
    });
    this.#answerEvents = new AnswerEvents({
      payer: this.#time === null ? this.#owner(settings.model) : null,
      responses: this.#responses,
      answers: this.#answers,
      tools: this.#tools,
      emit: (event) => this.#emit(event),
      send: (event) => this.#send(event),
      failure: (kind, message, details) => this.#connection.failure(kind, message, details),
      isGateOpen: () => this.#session.isGateOpen,
      begun: () => this.#session.answerTurns(),
      settle: () => this.#settle(),
    });
    this.#connection = new OpenAiConnection(settings.model, input, {
      opened: () => this.#opened(),
      accepted: () => this.#begin(),
      received: (event) => (isHeardEvent(event) ? this.#heard(event) : this.#answerEvents.handle(event)),
      rejectedAsSecond: () => this.#responses.rejectedAsSecond(),
      rejected: (eventId, error) => this.#rejected(eventId, error),
      ignored: (message) => this.#ignored(message),
      failed: (failure) => this.#failed(failure),
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    if (this.#connection.isAccepted) this.#append(ulaw, fromMs);
    else this.#heldBack.add({ ulaw, fromMs });
  }

  openGate(): void {
    this.#session.openGate();
    if (this.#connection.isAccepted) this.#session.answerTurns();
  }

  say(text: string): void {
    this.#responses.request(this.#input.dialect.speech(text));
  }

  respond(hint?: string): void {
    this.#responses.request(hint === undefined ? {} : { instructions: `${this.#session.instructions}\n\n${hint}` });
  }

  instruct(text: string): void {
    const item = { kind: 'instruction', text } as const;
    if (!this.#session.holds(item)) return this.#addItem(conversationItem(item));
    this.#session.add(item);
    // Those that come before follow the acceptance.
    if (this.#connection.isAccepted) this.#session.sendInstructions();
  }

  cut({ item, playedMs }: { readonly item: string; readonly playedMs: number }): void {
    const endMs = this.#answers.cut(item, playedMs);
    if (endMs === null) return;
    this.#responses.cancel();
    this.#send({ type: 'conversation.item.truncate', item_id: item, content_index: 0, audio_end_ms: endMs });
  }

  pressed(digits: string): void {
    this.#addItem(conversationItem({ kind: 'callee', text: `[pressed ${digits}]` }));
    this.#responses.request();
  }

  toolResult({ id, output, answer }: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    if (!this.#tools.takes(id)) return;
    this.#addItem(conversationItem({ kind: 'tool_result', id, output }));
    if (this.#tools.finished(answer)) this.#responses.request();
  }

  callOver(): Promise<void> {
    if (this.#closed || !this.#connection.isAccepted) return Promise.resolve();
    this.#responses.stop();
    // The provider hears no silence after the last words: their turn ends by our word, without an answer.
    this.#session.endTurnsOurselves();
    if (this.#callee.isSpeaking) this.#send({ type: 'input_audio_buffer.commit' });
    return new Promise((resolve) => {
      this.#settled = resolve;
      this.#settle();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#reportRest();
    this.#closed = true;
    this.#connection.close();
    this.#settle();
  }

  #owner(model: string) {
    return { provider: this.#input.dialect.provider, model };
  }

  #opened(): void {
    this.#time?.start();
    this.#session.send();
  }

  /** An error that names no event may be the refusal of what was asked for, which then never begins. */
  #ignored(message: string): void {
    this.#emit({ kind: 'ignored', message });
    this.#session.answerTurns();
  }

  /** What the provider will not report any more: the words of turns that it never completed, and the time. */
  #reportRest(): void {
    this.#callee.sayUnderstood();
    this.#time?.stop();
  }

  #settle(): void {
    if (this.#closed || (this.#responses.idle && !this.#callee.pending)) this.#settled?.();
  }

  #send(event: Readonly<Record<string, unknown>>): void {
    this.#connection.send(event);
  }

  #append(ulaw: Uint8Array, fromMs: number): void {
    this.#callee.sent(ulaw.length, fromMs);
    this.#connection.sendSound(ulaw);
  }

  #addItem(item: Readonly<Record<string, unknown>>): void {
    if (!this.#connection.isAccepted) return void this.#early.push(item);
    this.#time?.added(item);
    this.#send({ type: 'conversation.item.create', item });
  }

  #emit(event: MindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #heard(event: HeardEvent): void {
    const model = this.#input.settings.transcription?.model;
    if ('usage' in event && event.usage && model !== undefined && this.#time === null) {
      this.#emit({ kind: 'usage', entries: transcriptionUsage(this.#owner(model), event.usage) });
    }
    this.#callee.handle(event);
    this.#settle();
  }

  #begin(): void {
    for (const item of this.#input.history ?? []) {
      if (item.kind === 'tool_call') this.#tools.called(item.id);
      if (item.kind === 'tool_result') this.#tools.takes(item.id);
      if (!this.#session.holds(item)) this.#addItem(conversationItem(item));
    }
    this.#session.sendInstructions();
    for (const item of this.#early.splice(0)) this.#addItem(item);
    for (const { ulaw, fromMs } of this.#heldBack.take()) this.#append(ulaw, fromMs);
    this.#emit({ kind: 'ready' });
    this.#responses.start();
  }

  /** What was asked for never begins: its answer fails, and what waited for it follows. */
  #rejected(eventId: string, error: WireError): boolean {
    if (!this.#responses.rejected(eventId)) return false;
    this.#answerEvents.failed(error);
    this.#session.answerTurns();
    this.#responses.next();
    this.#settle();
    return true;
  }

  #failed(failure: ProviderFailure): void {
    this.#reportRest();
    this.#emit({ kind: 'failed', failure });
    this.close();
  }
}
