import { unreachable, type Clock } from '@outdial/kernel';
import {
  codeBlamesRequest,
  endBlamesRequest,
  kindOfEnd,
  messageOfEnd,
  providerFailure,
  type FailureDetails,
} from '../../failure.ts';
import type { HistoryItem, Mind, MindEvent, ProviderFailureKind } from '../../mind.ts';
import { fixedReadyLimit, type ReadyLimit } from '../../ready-limit.ts';
import type { OpenSocket, SocketEnd } from '../../sockets.ts';
import { ToolCalls } from '../../tool-calls.ts';
import { HeldBackSound } from '../../sound/held-back-sound.ts';
import { Answers } from './answers.ts';
import { conversationItem } from './conversation-item.ts';
import { HeardTurns } from './heard-turns.ts';
import { Responses } from './responses.ts';
import { sessionOf, turnDetectionOf, type OpenAiRealtimeSettings } from './settings.ts';
import { responseUsage, transcriptionUsage } from './usage.ts';
import { parseServerEvent, type ServerEvent } from './wire.ts';

export interface OpenAiMindInput {
  readonly settings: OpenAiRealtimeSettings;
  readonly credential: string;
  /** `wss://api.openai.com/v1`, or the operator's. */
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  readonly listener: (event: MindEvent) => void;
  /** Of an earlier connection of this call. */
  readonly history?: readonly HistoryItem[];
  /** From the first SYN to the accepted settings. Default: 3 s. */
  readonly readyLimit?: ReadyLimit;
}

/** A provider that sends this many messages that are not its protocol is not the one that we expect. */
const MAX_INVALID_MESSAGES = 50;

/** A speech-to-speech conversation over OpenAI's Realtime API, in µ-law at 8 kHz both ways. */
export function openOpenAiMind(input: OpenAiMindInput): Mind {
  return new OpenAiMind(input);
}

class OpenAiMind implements Mind {
  readonly #input: OpenAiMindInput;
  readonly #socket;
  readonly #responses: Responses;
  readonly #answers = new Answers();
  readonly #turns = new HeardTurns();
  readonly #tools = new ToolCalls();
  readonly #readyTimer;
  readonly #heldBack = new HeldBackSound();
  #accepted = false;
  #gateOpen = false;
  #closed = false;
  #saidSomething = false;
  #invalidMessages = 0;
  #settled: (() => void) | undefined;
  /** The provider ends a session of an hour: it follows with the end of the socket. */
  #isExpired = false;

  constructor(input: OpenAiMindInput) {
    this.#input = input;
    const { baseUrl, settings, credential, clock } = input;
    this.#responses = new Responses((event) => this.#send(event));
    this.#socket = input.openSocket(
      {
        url: `${baseUrl}/realtime?model=${encodeURIComponent(settings.model)}`,
        headers: { authorization: `Bearer ${credential}` },
      },
      {
        opened: () => this.#send({ type: 'session.update', session: sessionOf(settings, this.#gateOpen) }),
        received: (text) => this.#receive(text),
        ended: (end) => this.#ended(end),
      },
    );
    this.#readyTimer = (input.readyLimit ?? fixedReadyLimit(clock)).watch(() => {
      this.#fail('unreachable', 'the provider did not accept the settings in time');
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    if (this.#accepted) this.#append(ulaw, fromMs);
    else this.#heldBack.add({ ulaw, fromMs });
  }

  openGate(): void {
    if (this.#gateOpen) return;
    this.#gateOpen = true;
    if (!this.#accepted) return;
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
    if (this.#closed || !this.#accepted) return Promise.resolve();
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
    this.#readyTimer.cancel();
    this.#socket.close();
    this.#settle();
  }

  #settle(): void {
    if (this.#closed || (this.#responses.idle && !this.#turns.pending)) this.#settled?.();
  }

  #send(event: Readonly<Record<string, unknown>>): void {
    if (!this.#closed) this.#socket.send(JSON.stringify(event));
  }

  #append(ulaw: Uint8Array, fromMs: number): void {
    this.#turns.sent(ulaw.length, fromMs);
    const sound = Buffer.from(ulaw.buffer, ulaw.byteOffset, ulaw.byteLength).toString('base64');
    // Base64 needs no escapes: written out, since this happens 25 times a second for every call.
    this.#socket.send(`{"type":"input_audio_buffer.append","audio":"${sound}"}`);
  }

  #addItem(item: Readonly<Record<string, unknown>>): void {
    this.#send({ type: 'conversation.item.create', item });
  }

  #emit(event: MindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #receive(text: string): void {
    const event = parseServerEvent(text);
    if (event.type === 'unknown') return;
    if (event.type !== 'invalid') return this.#handle(event);
    this.#invalidMessages += 1;
    this.#emit({ kind: 'ignored', message: event.message });
    if (this.#invalidMessages > MAX_INVALID_MESSAGES) this.#fail('invalid_response', event.message);
  }

  #handle(event: ServerEvent): void {
    switch (event.type) {
      case 'session.created':
      // A session of sound has no answers in text.
      case 'response.output_text.delta':
        return;
      case 'session.updated':
        return this.#accept();
      case 'error':
        return this.#handleError(event.error);
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

  #accept(): void {
    if (this.#accepted) return;
    this.#accepted = true;
    this.#readyTimer.cancel();
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

  #answerDone(response: Extract<ServerEvent, { type: 'response.done' }>['response']): void {
    // A canceled and a failed response have usage too.
    if (response.usage)
      this.#emit({ kind: 'usage', entries: responseUsage(this.#input.settings.model, response.usage) });
    if (response.status === 'failed') {
      const { code, type } = response.status_details?.error ?? {};
      const kind = (code ?? type)?.includes('rate_limit') === true ? 'rate_limited' : 'unreachable';
      const details = { blamesRequest: codeBlamesRequest(`${code ?? ''} ${type ?? ''}`) };
      const message = `the response failed: ${code ?? type ?? 'unknown'}`;
      this.#emit({ kind: 'answer_failed', failure: this.#failure(kind, message, details) });
    } else {
      this.#emit({ kind: 'answer_over', outcome: response.status, empty: !this.#saidSomething });
    }
    this.#responses.done(response.id);
    this.#settle();
  }

  #handleError({
    code,
    type,
    message,
  }: {
    readonly code?: string | null | undefined;
    type: string;
    message: string;
  }): void {
    if (code === 'conversation_already_has_active_response') return this.#responses.rejectedAsSecond();
    this.#isExpired ||= code === 'session_expired';
    if (this.#accepted) return this.#emit({ kind: 'ignored', message: `${code ?? type}: ${message}` });
    if (code?.includes('rate_limit') === true) return this.#fail('rate_limited', message);
    return this.#fail(type === 'server_error' ? 'unreachable' : 'rejected', message);
  }

  #ended(end: SocketEnd): void {
    const retryAfter = end.kind === 'refused' ? end.retryAfter : null;
    const blamesRequest = endBlamesRequest(end) || this.#isExpired;
    this.#fail(kindOfEnd(end, !this.#accepted), messageOfEnd(end), { retryAfter, blamesRequest });
  }

  #failure(kind: ProviderFailureKind, message: string, details: FailureDetails = {}) {
    return providerFailure({ component: 'realtime', kind, message, credential: this.#input.credential, ...details });
  }

  #fail(kind: ProviderFailureKind, message: string, details: FailureDetails = {}): void {
    if (this.#closed) return;
    this.#emit({ kind: 'failed', failure: this.#failure(kind, message, details) });
    this.close();
  }
}
