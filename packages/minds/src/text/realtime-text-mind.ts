import { unreachable, type Clock, type Timer } from '@outdial/kernel';
import { kindOfEnd, messageOfEnd, providerFailure } from '../failure.ts';
import type { ProviderFailureKind } from '../mind.ts';
import { conversationItem } from '../realtime/openai/conversation-item.ts';
import { BilledTime } from '../realtime/openai/billed-time.ts';
import type { RealtimeDialect } from '../realtime/openai/dialects/dialect.ts';
import { Responses } from '../realtime/openai/responses.ts';
import type { OpenAiRealtimeSettings } from '../realtime/openai/settings.ts';
import { ToolCalls } from '../tool-calls.ts';
import { responseUsage } from '../realtime/openai/usage.ts';
import { parseServerEvent, type ServerEvent } from '../realtime/openai/wire.ts';
import type { OpenSocket, SocketEnd } from '../sockets.ts';
import type { TextMind, TextMindEvent } from './text-mind.ts';

export interface RealtimeTextMindInput {
  readonly dialect: RealtimeDialect;
  readonly settings: OpenAiRealtimeSettings;
  readonly credential: string;
  readonly baseUrl: string;
  readonly openSocket: OpenSocket;
  readonly clock: Clock;
  readonly listener: (event: TextMindEvent) => void;
}

const READY_WITHIN_MS = 3_000;
/** Without any event of an answer for as long, the model has failed. */
const SILENT_MS = 15_000;

/** A conversation in text with a speech-to-speech model: its session has text in and out. */
export function openRealtimeTextMind(input: RealtimeTextMindInput): TextMind {
  return new RealtimeTextMind(input);
}

class RealtimeTextMind implements TextMind {
  readonly #input: RealtimeTextMindInput;
  readonly #socket;
  readonly #responses: Responses;
  readonly #tools = new ToolCalls();
  /** Items from before the provider accepted the settings. */
  #early: Readonly<Record<string, unknown>>[] = [];
  #timer: Timer;
  #accepted = false;
  #empty = true;
  #closed = false;
  /** Null: tokens are billed. Its clock never runs: in text, the provider bills the sound that it makes. */
  readonly #time: BilledTime | null;

  constructor(input: RealtimeTextMindInput) {
    this.#input = input;
    const { dialect, baseUrl, settings, credential, clock } = input;
    const owner = { provider: dialect.provider, model: settings.model };
    this.#time =
      dialect.billedBy === 'tokens'
        ? null
        : new BilledTime(clock, owner, (entry) => this.#emit({ kind: 'usage', entries: [entry] }));
    this.#responses = new Responses({
      leavesCancelledOpen: dialect.leavesCancelledOpen,
      send: (event) => {
        this.#watch();
        this.#send(event);
      },
      left: () => this.#emit({ kind: 'answer_over', outcome: 'cancelled', empty: this.#empty }),
    });
    this.#socket = input.openSocket(
      {
        url: `${baseUrl}/realtime?model=${encodeURIComponent(settings.model)}`,
        headers: dialect.headers(credential),
      },
      {
        opened: () => this.#send({ type: 'session.update', session: dialect.textSession(settings) }),
        received: (text) => this.#receive(text),
        ended: (end) => this.#ended(end),
      },
    );
    this.#timer = clock.after(READY_WITHIN_MS, () =>
      this.#fail('unreachable', 'the provider did not accept the settings in time'),
    );
  }

  hear(text: string): void {
    this.#add(conversationItem({ kind: 'callee', text }));
    this.#responses.request();
  }

  said(text: string): void {
    this.#add(conversationItem({ kind: 'agent', text }));
  }

  respond(hint?: string): void {
    const { instructions } = this.#input.settings;
    this.#responses.request(hint === undefined ? {} : { instructions: `${instructions}\n\n${hint}` });
  }

  toolResult({ id, output, answer }: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    if (!this.#tools.takes(id)) return;
    this.#add(conversationItem({ kind: 'tool_result', id, output }));
    if (this.#tools.finished(answer)) this.#responses.request();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timer.cancel();
    this.#socket.close();
  }

  #send(event: Readonly<Record<string, unknown>>): void {
    if (!this.#closed) this.#socket.send(JSON.stringify(event));
  }

  #add(item: Readonly<Record<string, unknown>>): void {
    if (!this.#accepted) return void this.#early.push(item);
    this.#time?.added(item);
    this.#send({ type: 'conversation.item.create', item });
  }

  #receive(text: string): void {
    const event = parseServerEvent(text);
    if (event.type === 'unknown') return;
    if (event.type === 'invalid') return this.#emit({ kind: 'ignored', message: event.message });
    this.#handle(event);
  }

  /** Sound comes only where a provider has no session of text; its words are those of the answer. */
  #handle(event: ServerEvent): void {
    switch (event.type) {
      case 'session.updated':
        return this.#accept();
      case 'error':
        return this.#handleError(event.error);
      case 'response.created':
        this.#empty = true;
        this.#responses.created(event.response.id, event.response.metadata?.['request']);
        return;
      case 'response.output_audio.delta':
        return this.#time?.sounded(Buffer.byteLength(event.delta, 'base64'));
      case 'response.output_text.delta':
      case 'response.output_audio_transcript.delta':
        this.#empty = false;
        this.#watch();
        return this.#emit({ kind: 'words', item: event.item_id, text: event.delta });
      case 'response.output_item.done': {
        if (event.item.type !== 'function_call') return;
        const { call_id: id, name, arguments: argumentsText } = event.item;
        this.#empty = false;
        this.#tools.called(id);
        return this.#emit({ kind: 'tool_call', id, name, argumentsText });
      }
      case 'response.done':
        return this.#answerDone(event.response);
      case 'session.created':
      case 'rate_limits.updated':
      case 'input_audio_buffer.speech_started':
      case 'input_audio_buffer.speech_stopped':
      case 'input_audio_buffer.committed':
      case 'conversation.item.input_audio_transcription.completed':
      case 'conversation.item.input_audio_transcription.failed':
      case 'conversation.item.input_audio_transcription.updated':
      case 'response.output_audio.done':
        return;
      default:
        return unreachable(event);
    }
  }

  #accept(): void {
    if (this.#accepted) return;
    this.#accepted = true;
    this.#timer.cancel();
    for (const item of this.#early.splice(0)) this.#add(item);
    this.#responses.start();
  }

  #answerDone(response: Extract<ServerEvent, { type: 'response.done' }>['response']): void {
    this.#timer.cancel();
    const { dialect, settings } = this.#input;
    if (response.usage && this.#time === null) {
      const owner = { provider: dialect.provider, model: settings.model };
      this.#emit({ kind: 'usage', entries: responseUsage(owner, response.usage) });
    }
    this.#time?.stop();
    if (response.status === 'failed') {
      const code = response.status_details?.error?.code ?? response.status_details?.error?.type ?? 'unknown';
      const kind = code.includes('rate_limit') ? 'rate_limited' : 'unreachable';
      this.#emit({ kind: 'answer_failed', failure: this.#failure(kind, `the response failed: ${code}`, null) });
    } else {
      this.#emit({ kind: 'answer_over', outcome: response.status, empty: this.#empty });
    }
    this.#responses.done(response.id);
    this.#responses.next();
  }

  #handleError({ code, type, message }: Extract<ServerEvent, { type: 'error' }>['error']): void {
    if (code === 'conversation_already_has_active_response') return this.#responses.rejectedAsSecond();
    if (this.#accepted) return this.#emit({ kind: 'ignored', message: `${code ?? type}: ${message}` });
    if (code?.includes('rate_limit') === true) return this.#fail('rate_limited', message);
    return this.#fail(type === 'server_error' ? 'unreachable' : 'rejected', message);
  }

  #ended(end: SocketEnd): void {
    this.#fail(kindOfEnd(end, !this.#accepted), messageOfEnd(end), end.kind === 'refused' ? end.retryAfter : null);
  }

  #watch(): void {
    this.#timer.cancel();
    this.#timer = this.#input.clock.after(SILENT_MS, () => this.#fail('unreachable', 'no answer in time'));
  }

  #emit(event: TextMindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #failure(kind: ProviderFailureKind, message: string, retryAfter: string | null) {
    return providerFailure({ component: 'realtime', kind, message, credential: this.#input.credential, retryAfter });
  }

  #fail(kind: ProviderFailureKind, message: string, retryAfter: string | null = null): void {
    if (this.#closed) return;
    this.#emit({ kind: 'failed', failure: this.#failure(kind, message, retryAfter) });
    this.close();
  }
}
