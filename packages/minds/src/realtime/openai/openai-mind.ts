import { unreachable } from '@outdial/kernel';
import { codeBlamesRequest } from '../../failure.ts';
import type { HistoryItem, Mind, MindEvent, ProviderFailure } from '../../mind.ts';
import { HeldBackSound } from '../../sound/held-back-sound.ts';
import { ToolCalls } from '../../tool-calls.ts';
import { Answers } from './answers.ts';
import { OpenAiConnection, type ConversationEvent, type OpenAiAccess } from './connection.ts';
import { conversationItem } from './conversation-item.ts';
import { HeardTurns } from './heard-turns.ts';
import { Responses } from './responses.ts';
import { sessionOf, turnDetectionOf, type OpenAiRealtimeSettings } from './settings.ts';
import { responseUsage, transcriptionUsage } from './usage.ts';

export interface OpenAiMindInput extends OpenAiAccess {
  readonly settings: OpenAiRealtimeSettings;
  readonly listener: (event: MindEvent) => void;
  /** Of an earlier connection of this call. */
  readonly history?: readonly HistoryItem[];
}

/** A speech-to-speech conversation over OpenAI's Realtime API, in µ-law at 8 kHz both ways. */
export function openOpenAiMind(input: OpenAiMindInput): Mind {
  return new OpenAiMind(input);
}

class OpenAiMind implements Mind {
  readonly #input: OpenAiMindInput;
  readonly #connection: OpenAiConnection;
  readonly #responses: Responses;
  readonly #answers = new Answers();
  readonly #turns = new HeardTurns();
  readonly #tools = new ToolCalls();
  readonly #heldBack = new HeldBackSound();
  #gateOpen = false;
  #closed = false;
  #saidSomething = false;
  #settled: (() => void) | undefined;

  constructor(input: OpenAiMindInput) {
    this.#input = input;
    const { settings } = input;
    this.#responses = new Responses((event) => this.#connection.send(event));
    this.#connection = new OpenAiConnection(settings.model, input, {
      opened: () => this.#send({ type: 'session.update', session: sessionOf(settings, this.#gateOpen) }),
      accepted: () => this.#begin(),
      received: (event) => this.#handle(event),
      rejectedAsSecond: () => this.#responses.rejectedAsSecond(),
      ignored: (message) => this.#emit({ kind: 'ignored', message }),
      failed: (failure) => this.#failed(failure),
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    if (this.#connection.isAccepted) this.#append(ulaw, fromMs);
    else this.#heldBack.add({ ulaw, fromMs });
  }

  openGate(): void {
    if (this.#gateOpen) return;
    this.#gateOpen = true;
    if (!this.#connection.isAccepted) return;
    const turnDetection = turnDetectionOf(this.#input.settings, true);
    this.#send({
      type: 'session.update',
      session: { type: 'realtime', audio: { input: { turn_detection: turnDetection } } },
    });
  }

  say(text: string): void {
    this.#responses.request({
      instructions: `Say exactly the following, word for word, and nothing else: ${JSON.stringify(text)}`,
      tool_choice: 'none',
    });
  }

  respond(hint?: string): void {
    this.#responses.request(
      hint === undefined ? {} : { instructions: `${this.#input.settings.instructions}\n\n${hint}` },
    );
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
    const session = { type: 'realtime', audio: { input: { turn_detection: null } } };
    this.#send({ type: 'session.update', session });
    if (this.#turns.underWay !== null) this.#send({ type: 'input_audio_buffer.commit' });
    return new Promise((resolve) => {
      this.#settled = resolve;
      this.#settle();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#connection.close();
    this.#settle();
  }

  #settle(): void {
    if (this.#closed || (this.#responses.idle && !this.#turns.pending)) this.#settled?.();
  }

  #send(event: Readonly<Record<string, unknown>>): void {
    this.#connection.send(event);
  }

  #append(ulaw: Uint8Array, fromMs: number): void {
    this.#turns.sent(ulaw.length, fromMs);
    this.#connection.sendSound(ulaw);
  }

  #addItem(item: Readonly<Record<string, unknown>>): void {
    this.#send({ type: 'conversation.item.create', item });
  }

  #emit(event: MindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #handle(event: ConversationEvent): void {
    switch (event.type) {
      // A session of sound has no answers in text.
      case 'response.output_text.delta':
        return;
      case 'input_audio_buffer.speech_started': {
        const atMs = this.#turns.started(event.item_id, event.audio_start_ms);
        return this.#emit({ kind: 'callee_speaking', atMs });
      }
      case 'input_audio_buffer.speech_stopped':
        this.#turns.stopped(event.item_id, event.audio_end_ms);
        return this.#withoutWords(event.item_id);
      case 'input_audio_buffer.committed':
        this.#turns.committed(event.item_id);
        return this.#withoutWords(event.item_id);
      case 'conversation.item.input_audio_transcription.completed': {
        const model = this.#input.settings.transcription?.model;
        if (model !== undefined && event.usage) {
          this.#emit({ kind: 'usage', entries: transcriptionUsage(model, event.usage) });
        }
        const text = event.transcript.trim();
        return this.#said(event.item_id, text === '' ? null : text);
      }
      case 'conversation.item.input_audio_transcription.failed':
        return this.#said(event.item_id, null);
      case 'response.created':
        this.#saidSomething = false;
        return this.#responses.created(event.response.id, event.response.metadata?.['request']);
      case 'response.output_audio.delta':
        return this.#sound(event.item_id, event.delta);
      case 'response.output_audio_transcript.delta':
        if (this.#answers.isCut(event.item_id)) return;
        return this.#emit({ kind: 'words', item: event.item_id, text: event.delta });
      case 'response.output_audio.done':
        return this.#emit({ kind: 'item_over', item: event.item_id });
      case 'response.output_item.done':
        if (event.item.type !== 'function_call') return;
        this.#saidSomething = true;
        this.#tools.called(event.item.call_id);
        return this.#emit({
          kind: 'tool_call',
          id: event.item.call_id,
          name: event.item.name,
          argumentsText: event.item.arguments,
        });
      case 'response.done':
        return this.#answerDone(event.response);
      default:
        return unreachable(event);
    }
  }

  #begin(): void {
    for (const item of this.#input.history ?? []) {
      if (item.kind === 'tool_call') this.#tools.called(item.id);
      if (item.kind === 'tool_result') this.#tools.takes(item.id);
      this.#addItem(conversationItem(item));
    }
    for (const { ulaw, fromMs } of this.#heldBack.take()) this.#append(ulaw, fromMs);
    this.#emit({ kind: 'ready' });
    this.#responses.start();
  }

  /** Where nothing is transcribed, no words follow. */
  #withoutWords(turn: string): void {
    const times = this.#input.settings.transcription === null ? this.#turns.take(turn) : undefined;
    if (times !== undefined) this.#emit({ kind: 'callee_said', turn, text: null, ...times });
    this.#settle();
  }

  #said(turn: string, text: string | null): void {
    const times = this.#turns.take(turn);
    if (times === undefined) return this.#emit({ kind: 'ignored', message: 'a transcription of an unknown turn' });
    this.#emit({ kind: 'callee_said', turn, text, ...times });
    this.#settle();
  }

  #sound(item: string, base64: string): void {
    const ulaw = Buffer.from(base64, 'base64');
    this.#saidSomething = true;
    if (this.#answers.received(item, ulaw.length)) this.#emit({ kind: 'sound', item, ulaw });
  }

  #answerDone(response: Extract<ConversationEvent, { type: 'response.done' }>['response']): void {
    // A canceled and a failed response have usage too.
    if (response.usage)
      this.#emit({ kind: 'usage', entries: responseUsage(this.#input.settings.model, response.usage) });
    if (response.status === 'failed') {
      const { code, type } = response.status_details?.error ?? {};
      const kind = (code ?? type)?.includes('rate_limit') === true ? 'rate_limited' : 'unreachable';
      const details = { blamesRequest: codeBlamesRequest(`${code ?? ''} ${type ?? ''}`) };
      const message = `the response failed: ${code ?? type ?? 'unknown'}`;
      this.#emit({ kind: 'answer_failed', failure: this.#connection.failure(kind, message, details) });
    } else {
      this.#emit({ kind: 'answer_over', outcome: response.status, empty: !this.#saidSomething });
    }
    this.#responses.done(response.id);
    this.#settle();
  }

  #failed(failure: ProviderFailure): void {
    this.#emit({ kind: 'failed', failure });
    this.close();
  }
}
