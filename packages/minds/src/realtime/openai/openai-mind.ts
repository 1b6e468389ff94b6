import { unreachable } from '@outdial/kernel';
import { codeBlamesRequest } from '../../failure.ts';
import { instructedBy } from '../../instructions.ts';
import type { HistoryItem, Mind, MindEvent, ProviderFailure } from '../../mind.ts';
import { HeldBackSound } from '../../sound/held-back-sound.ts';
import { ToolCalls } from '../../tool-calls.ts';
import { Answers } from './answers.ts';
import { BilledTime } from './billed-time.ts';
import { CalleeWords } from './callee-words.ts';
import { OpenAiConnection, type ConversationEvent, type OpenAiAccess, type WireError } from './connection.ts';
import { conversationItem } from './conversation-item.ts';
import { OnceHeardMind } from '../once-heard-mind.ts';
import { Responses } from './responses.ts';
import { retryDelayOf } from './retry-delay.ts';
import type { OpenAiRealtimeSettings, TurnEnds } from './settings.ts';
import { responseUsage, transcriptionUsage } from './usage.ts';
import { isAnswerPart, isHeardEvent, type AnswerPart, type HeardEvent } from './wire.ts';

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
  readonly #callee: CalleeWords;
  readonly #tools = new ToolCalls();
  readonly #heldBack = new HeldBackSound();
  /** Items from before the provider accepted the settings. */
  readonly #early: Readonly<Record<string, unknown>>[] = [];
  /** Null: tokens are billed. */
  readonly #time: BilledTime | null;
  /** Of the supervisor, where they are no items of the conversation. */
  readonly #instructed: HistoryItem[] = [];
  #gateOpen = false;
  #turnEnds: TurnEnds = 'unanswered';
  #closed = false;
  #saidSomething = false;
  #settled: (() => void) | undefined;

  constructor(input: OpenAiMindInput) {
    this.#input = input;
    const { settings, dialect, clock, history = [] } = input;
    if (dialect.instructed !== null) this.#instructed.push(...history.filter(({ kind }) => kind === 'instruction'));
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
      left: () => this.#answerOver('cancelled'),
    });
    this.#connection = new OpenAiConnection(settings.model, input, {
      opened: () => this.#opened(),
      accepted: () => this.#begin(),
      received: (event) => this.#handle(event),
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
    if (this.#gateOpen) return;
    this.#gateOpen = true;
    if (this.#connection.isAccepted) this.#answerTurns();
  }

  say(text: string): void {
    this.#responses.request(this.#input.dialect.speech(text));
  }

  respond(hint?: string): void {
    this.#responses.request(hint === undefined ? {} : { instructions: `${this.#instructions}\n\n${hint}` });
  }

  instruct(text: string): void {
    const { dialect } = this.#input;
    const item = { kind: 'instruction', text } as const;
    if (dialect.instructed === null) return this.#addItem(conversationItem(item));
    this.#instructed.push(item);
    // Those that come before follow the acceptance.
    if (this.#connection.isAccepted) this.#sendInstructions();
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
    this.#sendTurnEnds('off');
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
    const { dialect, settings } = this.#input;
    this.#time?.start();
    if (this.#gateOpen && !this.#responses.isAsked) this.#turnEnds = 'answered';
    this.#send({ type: 'session.update', session: dialect.session(settings, this.#turnEnds) });
  }

  /**
   * The provider may answer the callee by itself. Not before what was asked for has begun: after a slow connection, the
   * callee would hear an answer to its greeting, and then the opening as well.
   */
  #answerTurns(): void {
    if (this.#gateOpen && this.#turnEnds === 'unanswered' && !this.#responses.isAsked) this.#sendTurnEnds('answered');
  }

  /** An error that names no event may be the refusal of what was asked for, which then never begins. */
  #ignored(message: string): void {
    this.#emit({ kind: 'ignored', message });
    this.#answerTurns();
  }

  /** Those of the agent, and what the supervisor added. */
  get #instructions(): string {
    return instructedBy(this.#input.settings.instructions, this.#instructed);
  }

  #sendInstructions(): void {
    const { instructed } = this.#input.dialect;
    if (instructed === null || this.#instructed.length === 0) return;
    this.#send({ type: 'session.update', session: instructed(this.#instructions) });
  }

  #sendTurnEnds(turns: TurnEnds): void {
    const { dialect, settings } = this.#input;
    this.#turnEnds = turns;
    this.#send({ type: 'session.update', session: dialect.turnEnds(settings, turns) });
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

  #handle(event: ConversationEvent): void {
    if (isAnswerPart(event) && this.#responses.drops(event.response_id)) return this.#drop(event);
    if (isHeardEvent(event)) return this.#heard(event);
    switch (event.type) {
      // A session of sound has no answers in text.
      case 'response.output_text.delta':
        return;
      case 'response.created':
        return this.#answerBegun(event.response);
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
      const isInSession = item.kind === 'instruction' && this.#input.dialect.instructed !== null;
      if (!isInSession) this.#addItem(conversationItem(item));
    }
    this.#sendInstructions();
    for (const item of this.#early.splice(0)) this.#addItem(item);
    for (const { ulaw, fromMs } of this.#heldBack.take()) this.#append(ulaw, fromMs);
    this.#emit({ kind: 'ready' });
    this.#responses.start();
  }

  /** The model answers the callee by itself once the gate is open. A provider that does so before is not heard. */
  #answerBegun({ id, metadata }: Extract<ConversationEvent, { type: 'response.created' }>['response']): void {
    const isAsked = this.#responses.created(id, metadata?.['request']);
    this.#saidSomething = false;
    if (!isAsked && !this.#gateOpen) this.#responses.mute();
    this.#answerTurns();
  }

  /** A part of an answer that the callee does not hear: the model forgets it. */
  #drop(part: AnswerPart): void {
    if (part.type !== 'response.output_item.done' || part.item.id === '') return;
    this.#send({ type: 'conversation.item.delete', item_id: part.item.id });
  }

  #sound(item: string, base64: string): void {
    const ulaw = Buffer.from(base64, 'base64');
    this.#saidSomething = true;
    this.#responses.sounded();
    if (this.#answers.received(item, ulaw.length)) this.#emit({ kind: 'sound', item, ulaw });
  }

  #answerDone(response: Extract<ConversationEvent, { type: 'response.done' }>['response']): void {
    // A canceled and a failed response have usage too.
    if (response.usage && this.#time === null) {
      const entries = responseUsage(this.#owner(this.#input.settings.model), response.usage);
      this.#emit({ kind: 'usage', entries });
    }
    const isWanted = this.#responses.done(response.id);
    if (isWanted && response.status === 'failed') this.#answerFailed(response.status_details?.error ?? {});
    else if (isWanted && response.status !== 'failed') this.#answerOver(response.status);
    this.#responses.next();
    this.#settle();
  }

  /** What was asked for never begins: its answer fails, and what waited for it follows. */
  #rejected(eventId: string, error: WireError): boolean {
    if (!this.#responses.rejected(eventId)) return false;
    this.#answerFailed(error);
    this.#answerTurns();
    this.#responses.next();
    this.#settle();
    return true;
  }

  #answerFailed({ code, type, message: reason }: WireError): void {
    const kind = (code ?? type)?.includes('rate_limit') === true ? 'rate_limited' : 'unreachable';
    const blamesRequest = codeBlamesRequest(`${code ?? ''} ${type ?? ''}`);
    const message = `the response failed: ${code ?? type ?? 'unknown'}`;
    const failure = this.#connection.failure(kind, message, { blamesRequest, retryAfter: retryDelayOf(reason) });
    this.#emit({ kind: 'answer_failed', failure });
  }

  #answerOver(outcome: Extract<MindEvent, { kind: 'answer_over' }>['outcome']): void {
    this.#emit({ kind: 'answer_over', outcome, empty: !this.#saidSomething });
    this.#settle();
  }

  #failed(failure: ProviderFailure): void {
    this.#reportRest();
    this.#emit({ kind: 'failed', failure });
    this.close();
  }
}
