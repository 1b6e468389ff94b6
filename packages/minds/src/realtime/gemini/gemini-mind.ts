import { randomUUID } from 'node:crypto';
import type { Timer } from '@outdial/kernel';
import type { CalleeSpeech, HistoryItem, Mind, MindEvent, ProviderFailure } from '../../mind.ts';
import { Downsampler } from '../../sound/downsampler.ts';
import { HeldBackSound } from '../../sound/held-back-sound.ts';
import { Answer } from './answer.ts';
import { Asks } from '../asks.ts';
import { CalleeTurns } from '../callee-turns.ts';
import { GeminiConnection, type GeminiAccess } from './connection.ts';
import { FunctionCalls, toolResponse } from './function-calls.ts';
import { content, historyTurns } from './history-turns.ts';
import { cutNote, OVER_NOTE, respondNote, sayNote, TOO_EARLY, unheardNote } from '../notes.ts';
import type { GeminiLiveSettings } from './settings.ts';
import { liveUsage } from './usage.ts';
import type { FunctionCall, ServerContent, ServerMessage } from './wire.ts';

export interface GeminiMindInput extends GeminiAccess {
  readonly settings: GeminiLiveSettings;
  readonly listener: (event: MindEvent) => void;
  /** Of an earlier connection of this call. */
  readonly history?: readonly HistoryItem[];
}

type Json = Readonly<Record<string, unknown>>;

const PROVIDER_RATE_HZ = 24_000;
/** An answer that called a tool, and of which nothing more comes for as long, is complete. */
const AFTER_CALL_MS = 1_000;
/** What the model is asked and does not answer within this time, by its own choice, does not keep it from the next. */
const UNANSWERED_MS = 10_000;
/** Reasons for the end of a turn that are no failure. */
const USUAL_ENDS: ReadonlySet<string> = new Set(['TURN_COMPLETE_REASON_UNSPECIFIED', 'NEED_MORE_INPUT']);

/**
 * A speech-to-speech conversation over Google's Live API. The API answers each turn of the callee by itself: what it says
 * before the gate opens is not heard, and the model reads that it was not.
 */
export function openGeminiMind(input: GeminiMindInput): Mind {
  return new GeminiMind(input);
}

class GeminiMind implements Mind {
  readonly #input: GeminiMindInput;
  /** Names of items are unique within a call. */
  readonly #name = randomUUID().slice(0, 8);
  readonly #connection: GeminiConnection;
  readonly #asks: Asks<Json>;
  readonly #callee: CalleeTurns;
  readonly #calls: FunctionCalls;
  readonly #heldBack = new HeldBackSound();
  /** Messages from before the provider accepted the settings. */
  readonly #early: Json[] = [];
  readonly #downsampler = new Downsampler(PROVIDER_RATE_HZ);
  /** Answers that are complete and not cut: the callee may still listen to them. */
  readonly #complete = new Set<string>();
  #answer: Answer | null = null;
  #answersBegun = 0;
  /** What the model said, and no one heard. */
  #unheard = '';
  /** The provider gave up an answer of which nothing came. */
  #wasInterruptedEarly = false;
  /** The answer before is over, and the provider may still say so. */
  #wasEndedByUs = false;
  #afterCall: Timer | null = null;
  #unanswered: Timer | null = null;
  #gateOpen = false;
  #stopped = false;
  #closed = false;
  #settled: (() => void) | undefined;

  constructor(input: GeminiMindInput) {
    this.#input = input;
    const { settings, history = [] } = input;
    this.#calls = new FunctionCalls(history);
    this.#callee = new CalleeTurns({
      name: this.#name,
      isTranscribed: settings.transcription !== null,
      emit: (event) => this.#emit(event),
    });
    this.#asks = new Asks((message) => this.#ask(message));
    this.#connection = new GeminiConnection(settings, input, {
      accepted: () => this.#begin(history),
      received: (message) => this.#handle(message),
      ignored: (message) => this.#emit({ kind: 'ignored', message }),
      failed: (failure) => this.#failed(failure),
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    if (this.#mayHear) this.#append(ulaw, fromMs);
    else this.#heldBack.add({ ulaw, fromMs });
  }

  calleeSpeech(speech: CalleeSpeech): void {
    this.#callee.ear(speech);
  }

  openGate(): void {
    if (this.#gateOpen) return;
    this.#gateOpen = true;
    this.#noteUnheard();
    this.#sendHeard();
  }

  say(text: string): void {
    this.#asks.ask(content('user', sayNote(text), true));
  }

  respond(hint?: string): void {
    this.#asks.ask(content('user', respondNote(hint), true));
  }

  cut({ item, heardText }: { readonly item: string; readonly heardText: string }): void {
    const answer = this.#answer?.name === item ? this.#answer : null;
    if (answer === null && !this.#complete.delete(item)) return;
    if (answer?.isCut === true) return;
    if (answer !== null) answer.isCut = true;
    // It also ends the answer, if that is still under way.
    this.#tell(cutNote(heardText));
  }

  pressed(digits: string): void {
    this.#asks.ask(content('user', `[pressed ${digits}]`, true));
  }

  toolResult(given: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    const result = this.#calls.result(given);
    if (result === null) return;
    if (result.isAnswered) this.#asks.ask(result.message);
    else this.#send(result.message);
  }

  callOver(): Promise<void> {
    if (this.#closed || !this.#connection.isAccepted) return Promise.resolve();
    this.#stopped = true;
    this.#asks.stop();
    if (this.#asks.isBusy) this.#tell(OVER_NOTE);
    // The provider hears no silence after the last words: their turn ends by our word.
    if (this.#callee.isAwaited) this.#send({ realtimeInput: { audioStreamEnd: true } });
    return new Promise((resolve) => {
      this.#settled = resolve;
      this.#settle();
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#callee.over();
    this.#closed = true;
    this.#afterCall?.cancel();
    this.#unanswered?.cancel();
    this.#connection.close();
    this.#settled?.();
  }

  #settle(): void {
    if (this.#asks.isBusy || this.#callee.isAwaited) return;
    this.#callee.over();
    this.#settled?.();
  }

  #begin(history: readonly HistoryItem[]): void {
    const turns = historyTurns(history);
    if (turns.length > 0) this.#connection.send({ clientContent: { turns, turnComplete: false } });
    for (const message of this.#early.splice(0)) this.#connection.send(message);
    this.#emit({ kind: 'ready' });
    this.#asks.start();
    this.#sendHeard();
  }

  #emit(event: MindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #send(message: Json): void {
    if (this.#connection.isAccepted) this.#connection.send(message);
    else this.#early.push(message);
  }

  /** The model reads it with what comes next. */
  #tell(text: string): void {
    this.#send(content('user', text, false));
  }

  #ask(message: Json): void {
    this.#unanswered?.cancel();
    this.#unanswered = this.#input.clock.after(UNANSWERED_MS, () => {
      if (this.#asks.isAwaited) this.#asks.answerOver();
      this.#sendHeard();
    });
    this.#connection.send(message);
  }

  /** The callee's voice would cut off what is being made for them to hear once the gate is open. */
  get #mayHear(): boolean {
    const isMaking = this.#asks.isAwaited || this.#answer?.isMaking === true;
    return this.#connection.isAccepted && (this.#gateOpen || !isMaking);
  }

  #append(ulaw: Uint8Array, fromMs: number): void {
    this.#callee.heard(ulaw.length, fromMs);
    this.#connection.sendSound(ulaw);
  }

  #sendHeard(): void {
    if (!this.#mayHear) return;
    for (const { ulaw, fromMs } of this.#heldBack.take()) this.#append(ulaw, fromMs);
  }

  #handle(message: ServerMessage): void {
    const { serverContent, toolCall, toolCallCancellation, usageMetadata, goAway } = message;
    const turnComplete = serverContent?.turnComplete === true;
    if (serverContent !== undefined) this.#content(serverContent);
    for (const call of toolCall?.functionCalls ?? []) this.#called(call);
    for (const id of toolCallCancellation?.ids ?? []) this.#calls.cancelled(id);
    if (usageMetadata !== undefined) {
      const entries = liveUsage(this.#input.settings.model, usageMetadata);
      if (entries.length > 0) this.#emit({ kind: 'usage', entries });
    }
    if (turnComplete) this.#turnComplete(serverContent.turnCompleteReason);
    if (goAway !== undefined) this.#emit({ kind: 'expiring' });
  }

  #content(part: ServerContent): void {
    const { inputTranscription, modelTurn, outputTranscription, generationComplete, interrupted } = part;
    if (inputTranscription !== undefined) this.#callee.understood(inputTranscription);
    for (const { inlineData } of modelTurn?.parts ?? []) if (inlineData !== undefined) this.#sound(inlineData);
    if (outputTranscription !== undefined && outputTranscription.text !== '') this.#words(outputTranscription.text);
    if (interrupted) this.#interrupted();
    if (generationComplete || interrupted) this.#soundOver();
  }

  /** The answer that something belongs to. The model answers the callee by itself. */
  #begun(): Answer {
    this.#afterCall?.cancel();
    if (this.#answer !== null) return this.#answer;
    const isAsked = this.#asks.answerBegan();
    this.#wasInterruptedEarly = false;
    this.#wasEndedByUs = false;
    this.#unanswered?.cancel();
    if (!isAsked && this.#input.settings.transcription === null) this.#callee.spoke();
    this.#callee.over();
    this.#answersBegun += 1;
    const name = `${this.#name}_${this.#answersBegun}`;
    const answer = new Answer(name, this.#stopped || (!isAsked && !this.#gateOpen), this.#downsampler);
    this.#answer = answer;
    if (this.#stopped) this.#tell(OVER_NOTE);
    return answer;
  }

  #sound({ mimeType, data }: { readonly mimeType: string; readonly data: string }): void {
    if (!/^audio\/pcm(?:;rate=24000)?$/.test(mimeType)) {
      return this.#emit({ kind: 'ignored', message: 'sound in another format' });
    }
    const answer = this.#begun();
    const ulaw = answer.sound(Buffer.from(data, 'base64'));
    if (!answer.isDropped && ulaw.length > 0) this.#emit({ kind: 'sound', item: answer.name, ulaw });
  }

  #words(text: string): void {
    const answer = this.#begun();
    answer.words += text;
    if (!answer.isDropped) this.#emit({ kind: 'words', item: answer.name, text });
  }

  #interrupted(): void {
    if (this.#answer === null) this.#wasInterruptedEarly = true;
    else this.#answer.wasInterrupted = true;
  }

  #soundOver(): void {
    const answer = this.#answer;
    const rest = answer?.endSound() ?? null;
    if (answer === null || rest === null || answer.isMuted) return;
    if (!answer.isCut && rest.length > 0) this.#emit({ kind: 'sound', item: answer.name, ulaw: rest });
    this.#emit({ kind: 'item_over', item: answer.name });
    this.#sendHeard();
  }

  #called({ id = randomUUID(), name, args }: FunctionCall): void {
    const answer = this.#begun();
    answer.saidSomething = true;
    this.#afterCall = this.#input.clock.after(AFTER_CALL_MS, () => {
      this.#wasEndedByUs = true;
      this.#over();
    });
    if (answer.isMuted) return this.#send(toolResponse({ id, name, output: TOO_EARLY, scheduling: 'SILENT' }));
    this.#calls.called(id, name);
    this.#emit({ kind: 'tool_call', id, name, argumentsText: JSON.stringify(args) });
  }

  #turnComplete(reason: string | undefined): void {
    if (this.#answer !== null) return this.#over(reason);
    // Of an answer that was given up before it began: the one that was asked for follows.
    const isKnown = this.#wasInterruptedEarly || this.#wasEndedByUs;
    this.#wasInterruptedEarly = false;
    this.#wasEndedByUs = false;
    if (isKnown) return;
    // The model has nothing to say.
    this.#begun();
    this.#over(reason);
  }

  #over(reason?: string): void {
    const answer = this.#answer;
    if (answer === null) return;
    this.#afterCall?.cancel();
    this.#soundOver();
    this.#answer = null;
    if (!answer.isDropped) this.#complete.add(answer.name);
    if (!answer.isMuted) this.#answerOver(answer, reason);
    else if (!this.#stopped) this.#unheard += answer.words;
    if (this.#gateOpen) this.#noteUnheard();
    this.#asks.answerOver();
    this.#sendHeard();
    this.#settle();
  }

  #answerOver({ saidSomething, isCut, wasInterrupted }: Answer, reason: string | undefined): void {
    const isFailure = reason !== undefined && !USUAL_ENDS.has(reason);
    if (isFailure && !saidSomething) {
      const message = `the answer failed: ${reason}`;
      const failure = this.#connection.failure('unreachable', message, { blamesRequest: true });
      return this.#emit({ kind: 'answer_failed', failure });
    }
    const outcome = isCut || wasInterrupted ? 'cancelled' : 'completed';
    this.#emit({ kind: 'answer_over', outcome, empty: !saidSomething });
  }

  /** Also ends an answer that comes too early. */
  #noteUnheard(): void {
    const muted = this.#answer?.isMuted === true ? this.#answer.words : '';
    const text = `${this.#unheard}${muted}`;
    if (text === '' || this.#stopped) return;
    this.#unheard = '';
    this.#tell(unheardNote(text));
  }

  #failed(failure: ProviderFailure): void {
    this.#callee.over();
    this.#emit({ kind: 'failed', failure });
    this.close();
  }
}
