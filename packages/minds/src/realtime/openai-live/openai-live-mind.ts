import { randomUUID } from 'node:crypto';
import { unreachable } from '@outdial/kernel';
import type { CalleeSpeech, HistoryItem, Mind, MindEvent, ProviderFailure, UsageEntry } from '../../mind.ts';
import { BYTES_PER_MS } from '../../sound/ulaw.ts';
import { Asks } from '../asks.ts';
import { CalleeTurns } from '../callee-turns.ts';
import { cutNote, EARLIER_NOTE, respondNote, resultNote, STOP_NOTE, TOO_EARLY, unheardNote } from '../notes.ts';
import { OnceHeardMind } from '../once-heard-mind.ts';
import { OpenAiLiveConnection, type LiveEvent, type OpenAiLiveAccess } from './connection.ts';
import { appended } from './context.ts';
import { Delegations, type FunctionCall } from './delegations.ts';
import { InputSound } from './input-sound.ts';
import type { LiveAnswer } from './live-answer.ts';
import { LiveAnswers } from './live-answers.ts';
import { LiveBill } from './live-bill.ts';
import { sayNotes } from './say-notes.ts';
import type { OpenAiLiveSettings } from './settings.ts';

export interface OpenAiLiveMindInput extends OpenAiLiveAccess {
  readonly settings: OpenAiLiveSettings;
  readonly listener: (event: MindEvent) => void;
  /** Of an earlier connection of this call. */
  readonly history?: readonly HistoryItem[];
}

/** A model that is silent for as long has chosen to say nothing. */
const SILENT_MS = 4_000;

/**
 * A conversation over GPT-Live, in µ-law at 8 kHz both ways. The model speaks and listens at the same time, and decides by itself
 * when to answer and when to stop. Its time is billed: it is connected with the callee's first sound.
 */
export function openOpenAiLiveMind(input: OpenAiLiveMindInput): Mind {
  return new OnceHeardMind(() => new OpenAiLiveMind(input));
}

class OpenAiLiveMind implements Mind {
  readonly #input: OpenAiLiveMindInput;
  readonly #connection: OpenAiLiveConnection;
  readonly #asks: Asks<readonly string[]>;
  readonly #callee: CalleeTurns;
  readonly #answers: LiveAnswers;
  readonly #delegations: Delegations;
  readonly #bill: LiveBill;
  readonly #sound: InputSound;
  #asked = 0;
  /** What the model said, and no one heard. */
  #unheard = '';
  /** Since the callee was silent, or the model was asked. */
  #silentMs = 0;
  #calleePaused = false;
  #gateOpen = false;
  #stopped = false;
  #closed = false;
  #settled: (() => void) | undefined;

  constructor(input: OpenAiLiveMindInput) {
    this.#input = input;
    const { settings, clock, history = [] } = input;
    // Names of items are unique within a call.
    const name = randomUUID().slice(0, 8);
    const emit = (event: MindEvent) => this.#emit(event);
    const ignored = (message: string) => this.#emit({ kind: 'ignored', message });
    this.#bill = new LiveBill(clock, settings);
    this.#callee = new CalleeTurns({ name, isTranscribed: true, emit });
    this.#asks = new Asks((notes) => this.#ask(notes));
    this.#answers = new LiveAnswers({
      name,
      emit,
      begins: () => this.#answerBegins(),
      isAwaited: () => this.#delegations.isRunning,
      over: (answer) => this.#answerOver(answer),
    });
    this.#delegations = new Delegations({
      history,
      send: (event) => this.#connection.send(event),
      called: (call) => this.#called(call),
      used: (usage) => this.#used(this.#bill.delegated(usage)),
      ignored,
      responded: () => this.#answers.settle(),
      continued: () => {
        if (this.#answers.current !== null) this.#answers.current.wasContinued = true;
      },
    });
    this.#sound = new InputSound({
      send: ({ ulaw, fromMs }) => {
        this.#callee.heard(ulaw.length, fromMs);
        this.#connection.sendSound(ulaw);
      },
      fill: (ulaw) => this.#connection.sendSound(ulaw),
    });
    this.#connection = new OpenAiLiveConnection(settings, history, input, {
      accepted: () => this.#begin(),
      received: (event) => this.#handle(event),
      expiring: () => this.#emit({ kind: 'expiring' }),
      refused: (eventId, message) => this.#refused(eventId, message),
      closed: (seconds) => this.#sessionClosed(seconds),
      ignored,
      failed: (failure) => this.#failed(failure),
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (this.#closed) return;
    if (this.#mayHear) this.#sound.add({ ulaw, fromMs });
    else this.#sound.holdBack({ ulaw, fromMs }, this.#connection.isAccepted);
  }

  calleeSpeech(speech: CalleeSpeech): void {
    this.#callee.ear(speech);
    this.#calleePaused = speech.kind === 'paused' || speech.kind === 'ended';
    this.#silentMs = 0;
    // What the model says from here on is no part of what the callee broke into.
    if (this.#calleePaused && this.#answers.current?.isCut === true) this.#answers.soundOver();
  }

  openGate(): void {
    if (this.#gateOpen) return;
    this.#gateOpen = true;
    const answer = this.#answers.current;
    const isAnswered = this.#asks.isAwaited || answer?.isAsked === true;
    if (answer?.isHeld === true && !answer.isDropped) {
      answer.release();
      for (const call of answer.takeEarlyCalls()) this.#emitCall(call);
    }
    this.#noteUnheard();
    this.#sendHeard(isAnswered);
  }

  say(text: string): void {
    const answer = this.#answers.current;
    if (answer?.isHeld === true && !answer.isDiscarded) {
      answer.isDiscarded = true;
      this.#note(STOP_NOTE);
    }
    this.#asks.ask(sayNotes(text));
  }

  respond(hint?: string): void {
    // The model answers the callee since before the gate opened: that is what is asked for.
    if (hint === undefined && this.#answers.current?.wasReleased === true) return;
    this.#asks.ask([respondNote(hint)]);
  }

  cut({ item, heardText }: { readonly item: string; readonly heardText: string }): void {
    const answer = this.#answers.current;
    // Of a complete answer the model knows when it stopped: what it said at the speed of life was heard.
    if (answer?.name !== item || answer.isCut) return;
    answer.isCut = true;
    this.#note(cutNote(heardText));
  }

  pressed(digits: string): void {
    this.#asks.ask([`[pressed ${digits}]`]);
  }

  toolResult(given: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    const result = this.#delegations.result(given);
    if (result.kind !== 'of_another_session') return;
    const content = resultNote(result.name, given.output);
    if (result.isAnswered) this.#asks.ask([content]);
    else this.#note(content);
  }

  callOver(): Promise<void> {
    if (this.#closed || !this.#connection.isAccepted) return Promise.resolve();
    this.#stopped = true;
    this.#asks.stop();
    if (this.#answers.current !== null) this.#answers.current.isDiscarded = true;
    // The provider sends what is under way, then the last count of its time.
    this.#connection.askToClose();
    return new Promise((resolve) => {
      this.#settled = resolve;
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#reportRest();
    this.#closed = true;
    this.#connection.close();
    this.#settled?.();
  }

  /** The callee's voice would cut off what is being made for them to hear once the gate is open. */
  get #mayHear(): boolean {
    const answer = this.#answers.current;
    const isMaking = this.#asks.isAwaited || (answer !== null && !answer.isHeld);
    return this.#connection.isAccepted && (this.#gateOpen || !isMaking);
  }

  /** `isAnswered`: what the model was asked to say followed it. */
  #sendHeard(isAnswered: boolean): void {
    if (!this.#mayHear) return;
    this.#sound.catchUp(() => {
      if (isAnswered) this.#note(EARLIER_NOTE);
    });
  }

  #emit(event: MindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #used(entries: readonly UsageEntry[]): void {
    if (entries.length > 0) this.#emit({ kind: 'usage', entries });
  }

  /** The model keeps it in mind. */
  #note(content: string): void {
    this.#connection.send(appended('silent', content));
  }

  /** The last note asks, after those that it refers to. */
  #ask(notes: readonly string[]): void {
    this.#silentMs = 0;
    this.#asked += 1;
    for (const [index, content] of notes.entries()) {
      if (index < notes.length - 1) this.#note(content);
      else this.#connection.send(appended('asked', content, this.#askId));
    }
  }

  /** Of the newest request. */
  get #askId(): string {
    return `ask_${this.#asked}`;
  }

  #begin(): void {
    this.#bill.started();
    this.#emit({ kind: 'ready' });
    this.#asks.start();
    this.#sendHeard(false);
  }

  #handle(event: LiveEvent): void {
    switch (event.type) {
      case 'session.output_audio.delta': {
        const ulaw = Buffer.from(event.delta, 'base64');
        if (!this.#answers.sound(ulaw)) this.#wasSilent(ulaw.length / BYTES_PER_MS);
        return;
      }
      case 'session.output_transcript.delta':
        return this.#answers.said(event.delta);
      case 'session.input_transcript.delta':
        this.#silentMs = 0;
        return this.#callee.understood({ text: event.delta, finished: false });
      case 'response.event':
        this.#silentMs = 0;
        return this.#delegations.handle(event.event);
      case 'session.usage.updated':
        return this.#used(this.#bill.reported(event.usage.seconds));
      default:
        return unreachable(event);
    }
  }

  /** The model answers the callee by itself. What it says before the gate opens waits for it. */
  #answerBegins() {
    const isAsked = this.#asks.answerBegan();
    this.#callee.over();
    this.#calleePaused = false;
    return { isAsked, isHeld: !isAsked && !this.#gateOpen, isDiscarded: this.#stopped };
  }

  #answerOver(answer: LiveAnswer): void {
    for (const call of answer.takeEarlyCalls()) this.#rejectCall(call);
    if (answer.isHeld) this.#unheard += answer.words;
    else if (!answer.isDiscarded) {
      const outcome = answer.isCut ? 'cancelled' : 'completed';
      this.#emit({ kind: 'answer_over', outcome, empty: !answer.saidSomething });
    }
    if (this.#gateOpen) this.#noteUnheard();
    this.#asks.answerOver();
    this.#sendHeard(answer.isAsked);
  }

  /** Silence alone shows that the model gives no answer. */
  #wasSilent(ms: number): void {
    const isAwaited = this.#asks.isAwaited || (this.#calleePaused && this.#callee.hasWords);
    if (!isAwaited || this.#answers.current !== null || this.#delegations.isRunning) return;
    this.#silentMs += ms;
    if (this.#silentMs < SILENT_MS) return;
    this.#answers.begin();
    this.#answers.settle();
  }

  #called(call: FunctionCall): void {
    const answer = this.#answers.begin();
    answer.saidSomething = true;
    if (answer.isDiscarded) this.#rejectCall(call);
    else if (answer.isHeld) answer.callsEarly(call);
    else this.#emitCall(call);
  }

  #emitCall({ call_id: id, name, arguments: argumentsText }: FunctionCall): void {
    this.#emit({ kind: 'tool_call', id, name, argumentsText });
  }

  /** The work does not go on: the other model would call again, as long as the gate is closed. */
  #rejectCall({ call_id: id }: FunctionCall): void {
    this.#delegations.result({ id, output: TOO_EARLY, answer: false });
  }

  #noteUnheard(): void {
    if (this.#unheard === '' || this.#stopped) return;
    this.#note(unheardNote(this.#unheard));
    this.#unheard = '';
  }

  /** What was asked is not answered. */
  #refused(eventId: string, message: string): void {
    if (eventId !== this.#askId || !this.#asks.isAwaited) return;
    const failure = this.#connection.failure('unreachable', message, { blamesRequest: true });
    this.#emit({ kind: 'answer_failed', failure });
    this.#asks.answerOver();
  }

  #sessionClosed(seconds: number | null): void {
    if (seconds !== null) {
      this.#used(this.#bill.reported(seconds));
      this.#bill.closed();
    }
    this.#reportRest();
    this.#settled?.();
  }

  /** What the provider will not report any more. */
  #reportRest(): void {
    this.#callee.over();
    this.#used(this.#bill.rest());
  }

  #failed(failure: ProviderFailure): void {
    this.#reportRest();
    this.#emit({ kind: 'failed', failure });
    this.close();
  }
}
