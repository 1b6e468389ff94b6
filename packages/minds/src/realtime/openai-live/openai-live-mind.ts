import { randomUUID } from 'node:crypto';
import { unreachable } from '@outdial/kernel';
import { instructionNote } from '../../instructions.ts';
import type {
  Asked,
  CalleeSpeech,
  HistoryItem,
  Mind,
  MindEvent,
  ProviderFailure,
  ProviderFailureKind,
  UsageEntry,
} from '../../mind.ts';
import { BYTES_PER_MS } from '../../sound/ulaw.ts';
import { cutNote, EARLIER_NOTE, respondNote, STOP_NOTE } from '../notes.ts';
import { OnceHeardMind } from '../once-heard-mind.ts';
import { CalleeSide } from './callee-side.ts';
import { OpenAiLiveConnection, type LiveEvent, type OpenAiLiveAccess } from './connection.ts';
import type { LiveAnswer } from './live-answer.ts';
import { LiveAnswers } from './live-answers.ts';
import { LiveBill } from './live-bill.ts';
import { LiveTools } from './live-tools.ts';
import { partsOf } from './context.ts';
import { Prompts } from './prompts.ts';
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
  readonly #prompts: Prompts;
  readonly #callee: CalleeSide;
  readonly #answers: LiveAnswers;
  readonly #tools: LiveTools;
  readonly #bill: LiveBill;
  /** Of the supervisor, from before the session began. */
  readonly #early: string[] = [];
  /** Since the callee was silent, or the model was asked. */
  #silentMs = 0;
  #stopped = false;
  #closed = false;
  #settled: (() => void) | undefined;

  constructor(input: OpenAiLiveMindInput) {
    this.#input = input;
    const { settings, clock, history = [] } = input;
    // Names of items are unique within a call.
    const name = randomUUID().slice(0, 8);
    const emit = (event: MindEvent) => this.#emit(event);
    const send = (event: object) => this.#connection.send(event);
    const ignored = (message: string) => this.#emit({ kind: 'ignored', message });
    this.#bill = new LiveBill(clock, settings);
    this.#prompts = new Prompts({
      send,
      asked: () => {
        this.#silentMs = 0;
      },
    });
    this.#callee = new CalleeSide({
      name,
      emit,
      sendSound: (ulaw) => this.#connection.sendSound(ulaw),
      isAccepted: () => this.#connection.isAccepted,
      wouldCut: (isGateOpen) => this.#wouldCut(isGateOpen),
      sendsEarlier: () => this.#prompts.note(EARLIER_NOTE),
    });
    this.#answers = new LiveAnswers({
      name,
      emit,
      begins: () => this.#answerBegins(),
      isAwaited: () => this.#tools.delegations.isRunning,
      over: (answer) => this.#answerOver(answer),
    });
    this.#tools = new LiveTools({
      history,
      prompts: this.#prompts,
      send,
      emit,
      ignored,
      answer: () => this.#answers.begin(),
      current: () => this.#answers.current,
      used: (usage) => this.#used(this.#bill.delegated(usage)),
      responded: () => this.#answers.settle(),
    });
    this.#connection = new OpenAiLiveConnection(settings, history, input, {
      accepted: () => this.#begin(),
      received: (event) => this.#handle(event),
      expiring: () => this.#emit({ kind: 'expiring' }),
      refused: (eventId, kind, message) => this.#refused(eventId, kind, message),
      closed: (seconds) => this.#sessionClosed(seconds),
      ignored,
      failed: (failure) => this.#failed(failure),
    });
  }

  hear(ulaw: Uint8Array, fromMs: number): void {
    if (!this.#closed) this.#callee.hear(ulaw, fromMs);
  }

  calleeSpeech(speech: CalleeSpeech): void {
    this.#callee.speech(speech);
    this.#silentMs = 0;
    // What the model says from here on is no part of what the callee broke into.
    if (this.#callee.hasPaused && this.#answers.current?.isCut === true) this.#answers.soundOver();
  }

  openGate(): void {
    if (this.#callee.isGateOpen) return;
    this.#callee.openGate();
    const answer = this.#answers.current;
    const isAnswered = this.#prompts.asks.isAwaited || answer?.isAsked === true;
    if (answer?.isHeld === true && !answer.isDropped) {
      answer.release();
      this.#tools.release(answer);
    }
    this.#noteUnheard();
    this.#callee.sendHeldBack(isAnswered);
  }

  say(text: string, how?: Asked): void {
    const answer = this.#answers.current;
    if (answer?.isHeld === true && !answer.isDiscarded) {
      answer.isDiscarded = true;
      this.#prompts.note(STOP_NOTE);
    }
    this.#prompts.ask(sayNotes(text), how);
  }

  respond(hint?: string, how?: Asked): void {
    // The model answers the callee since before the gate opened: that is what is asked for.
    if (hint === undefined && this.#answers.current?.wasReleased === true) return;
    this.#prompts.ask([respondNote(hint)], how);
  }

  instruct(text: string): void {
    if (!this.#connection.isAccepted) return void this.#early.push(text);
    // A text that does not fit into one note becomes several instructions.
    const parts = partsOf(text).map((part) => part.trim());
    for (const part of parts) if (part !== '') this.#prompts.note(instructionNote(part));
  }

  cut({ item, heardText }: { readonly item: string; readonly heardText: string }): void {
    const answer = this.#answers.current;
    // Of a complete answer the model knows when it stopped: what it said at the speed of life was heard.
    if (answer?.name !== item || answer.isCut) return;
    answer.isCut = true;
    this.#prompts.note(cutNote(heardText));
  }

  pressed(digits: string): void {
    this.#prompts.ask([`[pressed ${digits}]`]);
  }

  toolResult(given: { readonly id: string; readonly output: string; readonly answer: boolean }): void {
    this.#tools.result(given);
  }

  callOver(): Promise<void> {
    if (this.#closed || !this.#connection.isAccepted) return Promise.resolve();
    this.#stopped = true;
    this.#prompts.asks.stop();
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

  #emit(event: MindEvent): void {
    if (!this.#closed) this.#input.listener(event);
  }

  #used(entries: readonly UsageEntry[]): void {
    if (entries.length > 0) this.#emit({ kind: 'usage', entries });
  }

  #noteUnheard(): void {
    if (!this.#stopped) this.#prompts.noteUnheard();
  }

  /** What the callee hears once the gate is open is being made, or they are to hear all of it. */
  #wouldCut(isGateOpen: boolean): boolean {
    const { asks, isWhole } = this.#prompts;
    const answer = this.#answers.current;
    if (asks.isAwaited && (isWhole || !isGateOpen)) return true;
    if (answer === null || answer.isHeld) return false;
    return isGateOpen ? answer.isWhole && !answer.isDropped : true;
  }

  #begin(): void {
    this.#bill.started();
    for (const text of this.#early.splice(0)) this.instruct(text);
    this.#emit({ kind: 'ready' });
    this.#prompts.asks.start();
    this.#callee.sendHeldBack(false);
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
        return this.#callee.turns.understood({ text: event.delta, finished: false });
      case 'response.event':
        this.#silentMs = 0;
        return this.#tools.delegations.handle(event.event);
      case 'session.usage.updated':
        return this.#used(this.#bill.reported(event.usage.seconds));
      default:
        return unreachable(event);
    }
  }

  /** The model answers the callee by itself. What it says before the gate opens waits for it. */
  #answerBegins() {
    const isAsked = this.#prompts.asks.answerBegan();
    this.#callee.answered();
    const isWhole = isAsked && this.#prompts.isWhole;
    return { isAsked, isWhole, isHeld: !isAsked && !this.#callee.isGateOpen, isDiscarded: this.#stopped };
  }

  #answerOver(answer: LiveAnswer): void {
    this.#tools.reject(answer);
    if (answer.isHeld) this.#prompts.addUnheard(answer.words);
    else if (!answer.isDiscarded) {
      const outcome = answer.isCut ? 'cancelled' : 'completed';
      this.#emit({ kind: 'answer_over', outcome, empty: !answer.saidSomething });
    }
    if (this.#callee.isGateOpen) this.#noteUnheard();
    this.#prompts.asks.answerOver();
    this.#callee.sendHeldBack(answer.isAsked);
  }

  /** Silence alone shows that the model gives no answer. */
  #wasSilent(ms: number): void {
    const isAwaited = this.#prompts.asks.isAwaited || this.#callee.awaitsAnswer;
    if (!isAwaited || this.#answers.current !== null || this.#tools.delegations.isRunning) return;
    this.#silentMs += ms;
    if (this.#silentMs < SILENT_MS) return;
    this.#answers.begin();
    this.#answers.settle();
  }

  /** What was asked is not answered. */
  #refused(eventId: string, kind: ProviderFailureKind, message: string): void {
    if (!this.#prompts.isAwaited(eventId)) return;
    const failure = this.#connection.failure(kind, message, { blamesRequest: kind !== 'rate_limited' });
    this.#emit({ kind: 'answer_failed', failure });
    this.#prompts.asks.answerOver();
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
    this.#callee.turns.over();
    this.#used(this.#bill.rest());
  }

  #failed(failure: ProviderFailure): void {
    this.#reportRest();
    this.#emit({ kind: 'failed', failure });
    this.close();
  }
}
