import { randomUUID } from 'node:crypto';
import type { Timer } from '@outdial/kernel';
import { instructionNote } from '../../instructions.ts';
import type { CalleeSpeech, HistoryItem, Mind, MindEvent, ProviderFailure } from '../../mind.ts';
import { HeldBackSound } from '../../sound/held-back-sound.ts';
import { BYTES_PER_MS } from '../../sound/ulaw.ts';
import type { Answer } from './answer.ts';
import { Answers } from './answers.ts';
import { Asks } from '../asks.ts';
import { CalleeTurns } from '../callee-turns.ts';
import { GeminiConnection, type GeminiAccess } from './connection.ts';
import { FunctionCalls, toolResponse } from './function-calls.ts';
import { Greeting } from './greeting.ts';
import { content, historyTurns } from './history-turns.ts';
import { cutNote, OVER_NOTE, respondNote, sayNote, TOO_EARLY, unheardNote } from '../notes.ts';
import type { GeminiLiveSettings } from './settings.ts';
import { liveUsage } from './usage.ts';
import type { ServerMessage } from './wire.ts';

export interface GeminiMindInput extends GeminiAccess {
  readonly settings: GeminiLiveSettings;
  readonly listener: (event: MindEvent) => void;
  /** Of an earlier connection of this call. */
  readonly history?: readonly HistoryItem[];
}

type Json = Readonly<Record<string, unknown>>;

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
  readonly #connection: GeminiConnection;
  readonly #asks: Asks<Json>;
  readonly #callee: CalleeTurns;
  readonly #answers: Answers;
  readonly #calls: FunctionCalls;
  readonly #heldBack = new HeldBackSound();
  /** Messages from before the provider accepted the settings. */
  readonly #early: Json[] = [];
  /** Answers that are complete and not cut: the callee may still listen to them. */
  readonly #complete = new Set<string>();
  /** Of the supervisor, until the model is not about to answer: a message would end what it says. */
  readonly #instructions: string[] = [];
  /** What the model said, and no one heard. */
  #unheard = '';
  #unanswered: Timer | null = null;
  readonly #greeting = new Greeting();
  /** The present answer came after the gate opened, for what the callee said before. */
  #isTooLate = false;
  #gateOpen = false;
  #stopped = false;
  #closed = false;
  #settled: (() => void) | undefined;

  constructor(input: GeminiMindInput) {
    this.#input = input;
    const { settings, history = [] } = input;
    // Names of items are unique within a call.
    const name = randomUUID().slice(0, 8);
    this.#calls = new FunctionCalls(history);
    this.#callee = new CalleeTurns({
      name,
      isTranscribed: settings.transcription !== null,
      emit: (event) => this.#emit(event),
    });
    this.#asks = new Asks((message) => this.#ask(message));
    this.#answers = new Answers({
      name,
      clock: input.clock,
      emit: (event) => this.#emit(event),
      begins: () => this.#answerBegins(),
      calledTooEarly: (call) => this.#send(toolResponse({ ...call, output: TOO_EARLY, scheduling: 'SILENT' })),
      called: (call) => {
        this.#calls.called(call.id, call.name);
        this.#emit({ kind: 'tool_call', ...call });
      },
      soundOver: () => this.#sendHeard(),
      over: (answer, reason) => this.#over(answer, reason),
    });
    this.#connection = new GeminiConnection(settings, input, {
      accepted: () => this.#begin(history),
      received: (message) => this.#handle(message),
      ignored: (message) => this.#emit({ kind: 'ignored', message }),
      failed: (failure) => this.#failed(failure),
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    this.#greeting.heard(fromMs + ulaw.length / BYTES_PER_MS);
    if (this.#mayHear) this.#append(ulaw, fromMs);
    else this.#heldBack.add({ ulaw, fromMs });
    this.#instructInPause();
  }

  calleeSpeech(speech: CalleeSpeech): void {
    this.#callee.ear(speech);
    this.#greeting.ear(speech);
  }

  openGate(): void {
    if (this.#gateOpen) return;
    this.#gateOpen = true;
    this.#greeting.gateOpens(
      this.#complete.size > 0 || this.#asks.isAwaited || this.#answers.current?.isMuted === false,
    );
    this.#noteUnheard();
    this.#sendHeard();
  }

  say(text: string): void {
    this.#asks.ask(content('user', sayNote(text), true));
  }

  respond(hint?: string): void {
    this.#asks.ask(content('user', respondNote(hint), true));
  }

  instruct(text: string): void {
    this.#instructions.push(text);
    this.#instructInPause();
  }

  cut({ item, heardText }: { readonly item: string; readonly heardText: string }): void {
    const { current } = this.#answers;
    const answer = current?.name === item ? current : null;
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
    this.#answers.stop();
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

  #instructInPause(): void {
    if (!this.#asks.isBusy && !this.#callee.awaitsAnswer) this.#sendInstructions();
  }

  #sendInstructions(): void {
    for (const text of this.#instructions.splice(0)) this.#tell(instructionNote(text));
  }

  #ask(message: Json): void {
    this.#sendInstructions();
    this.#unanswered?.cancel();
    this.#unanswered = this.#input.clock.after(UNANSWERED_MS, () => {
      if (this.#asks.isAwaited) this.#asks.answerOver();
      this.#sendHeard();
    });
    this.#connection.send(message);
  }

  /** The callee's voice would cut off what is being made for them to hear once the gate is open. */
  get #mayHear(): boolean {
    const isMaking = this.#asks.isAwaited || this.#answers.current?.isMaking === true;
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
    const { inputTranscription } = serverContent ?? {};
    if (inputTranscription !== undefined) this.#callee.understood(inputTranscription);
    if (serverContent !== undefined) this.#answers.received(serverContent);
    for (const call of toolCall?.functionCalls ?? []) this.#answers.called(call);
    for (const id of toolCallCancellation?.ids ?? []) this.#calls.cancelled(id);
    if (usageMetadata !== undefined) {
      const entries = liveUsage(this.#input.settings.model, usageMetadata);
      if (entries.length > 0) this.#emit({ kind: 'usage', entries });
    }
    if (turnComplete) this.#answers.turnComplete(serverContent.turnCompleteReason);
    if (goAway !== undefined) this.#emit({ kind: 'expiring' });
  }

  /** The model answers the callee by itself. True: the callee does not hear it. */
  #answerBegins(): boolean {
    const isAsked = this.#asks.answerBegan();
    this.#unanswered?.cancel();
    if (!isAsked && this.#input.settings.transcription === null) this.#callee.spoke();
    this.#callee.over();
    if (this.#stopped) this.#tell(OVER_NOTE);
    this.#isTooLate = !isAsked && this.#gateOpen && this.#greeting.isAnswered;
    return this.#stopped || this.#isTooLate || (!isAsked && !this.#gateOpen);
  }

  #over(answer: Answer, reason: string | undefined): void {
    if (!answer.isDropped) this.#complete.add(answer.name);
    if (!answer.isMuted) this.#answerOver(answer, reason);
    else if (!this.#stopped) {
      this.#unheard += answer.words;
      // What the callee said is known, and no answer to it follows.
      if (this.#isTooLate) this.#emit({ kind: 'answer_over', outcome: 'cancelled', empty: false });
    }
    if (this.#gateOpen) this.#noteUnheard();
    if (!this.#stopped) this.#sendInstructions();
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
    const { current } = this.#answers;
    const muted = current?.isMuted === true ? current.words : '';
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
