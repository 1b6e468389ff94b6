import { FRAME_MS, FRAME_SAMPLES, type Frame } from '@outdial/calls';
import type { TransferFailure, VoiceAgent, VoiceAgentEvent, VoiceAgentResult } from '@outdial/calls';
import { pause, type Clock } from '@outdial/kernel';
import type { Heard } from '../hearing/turn-detector.ts';
import type { ScriptLine } from '../scripted/script-line.ts';
import { AgentEvents } from './agent-events.ts';
import type { FromMind } from './bridge.ts';
import { Acts } from './conversation/acts.ts';
import { Conversation, type ConversationOptions } from './conversation/conversation.ts';
import { Ending } from './conversation/ending.ts';
import { Failure } from './conversation/failure.ts';
import { Gate } from './conversation/gate.ts';
import { MindEvents } from './conversation/mind-events.ts';
import { OptingOut } from './conversation/opting-out.ts';
import { PhaseMachine } from './conversation/phase-machine.ts';
import { Transferring } from './conversation/transferring.ts';
import { Outgoing } from './outgoing.ts';
import { afterHold, holdsAnswers, mayBeInstructed } from './phase.ts';

export interface ModelAgentOptions extends ConversationOptions {
  readonly clock: Clock;
  /** By the built-in voice. */
  readonly failureLine: ScriptLine;
  readonly waitingLines: readonly ScriptLine[];
}

const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);
/** The provider may still report the last words and the last usage. */
const LAST_WORDS_WITHIN_MS = 1_500;

/** Conducts one call with the mind at the other end of the bridge. Heard frames are its only clock during the call. */
export class ModelAgent implements VoiceAgent {
  readonly #clock: Clock;
  readonly #events = new AgentEvents();
  readonly #conversation: Conversation;
  readonly #outgoing: Outgoing;
  readonly #acts: Acts;
  readonly #ending: Ending;
  readonly #failure: Failure;
  readonly #transferring: Transferring;
  readonly #mindEvents: MindEvents;
  readonly #phases: PhaseMachine;
  #isOnHold = false;
  #result: Promise<VoiceAgentResult> | undefined;
  #onClosed: (() => void) | undefined;

  constructor(options: ModelAgentOptions) {
    this.#clock = options.clock;
    const conversation = new Conversation(options, {
      onAgent: (event) => this.#events.emit(event),
      onMind: (event) => this.#onMind(event),
    });
    const gate = new Gate(conversation);
    const ending = new Ending(conversation);
    const failure = new Failure(conversation);
    const transferring = new Transferring(conversation);
    const acts = new Acts(conversation, ending, new OptingOut(conversation, failure), transferring);
    const { failureLine, waitingLines } = options;
    this.#conversation = conversation;
    this.#outgoing = new Outgoing((message) => conversation.line.send(message));
    this.#acts = acts;
    this.#ending = ending;
    this.#failure = failure;
    this.#transferring = transferring;
    this.#mindEvents = new MindEvents({ conversation, gate, acts, failure });
    const rules = { gate, acts, ending, transferring, failure };
    this.#phases = new PhaseMachine({ conversation, ...rules, failureLine, waitingLines });
    conversation.askOpening();
  }

  listen(listener: (event: VoiceAgentEvent) => void): void {
    this.#events.listen(listener);
  }

  hear(frame: Frame): void {
    const { detector, record, isFinished } = this.#conversation;
    if (isFinished) return;
    if (this.#isOnHold) {
      // Probably music on hold. Only time advances.
      const { nowMs } = detector.hear(SILENCE);
      this.#outgoing.add(SILENCE, nowMs - FRAME_MS);
      return this.#outgoing.follow(null, nowMs);
    }
    const heard = detector.hear(frame);
    // The mind is deaf to the keys that it presses.
    const isDeaf = this.#acts.pressesKeys;
    this.#outgoing.add(isDeaf ? SILENCE : frame, heard.nowMs - FRAME_MS);
    this.#outgoing.follow(isDeaf ? null : (heard.turn ?? null), heard.nowMs);
    this.#followCallee(heard);
    this.#phases.follow(heard);
    record.follow(heard);
  }

  hearDigits(digits: string): void {
    const { record, waiting, isFinished, nowMs } = this.#conversation;
    if (isFinished || digits === '') return;
    this.#conversation.cutCallee();
    record.calleePressed(digits, nowMs);
    this.#acts.hearKeys(digits);
    waiting.countSilenceFrom(nowMs);
  }

  setOnHold(isOnHold: boolean): void {
    if (isOnHold === this.#isOnHold) return;
    this.#isOnHold = isOnHold;
    if (isOnHold) return this.#conversation.cutCallee();
    const { phase, waiting, nowMs } = this.#conversation;
    this.#conversation.enter(afterHold(phase, nowMs));
    waiting.restart(nowMs);
  }

  instruct(text: string): boolean {
    const { phase, line, record, isFinished, nowMs } = this.#conversation;
    if (isFinished || !mayBeInstructed(phase)) return false;
    line.send({ kind: 'instruct', text });
    record.instructed(text, nowMs);
    return true;
  }

  transferFailed(failure: TransferFailure): void {
    this.#transferring.onFailed(failure);
  }

  introduce(): void {
    this.#transferring.introduce();
  }

  speak(): Frame | undefined {
    const { detector, voice, phase, isFinished, nowMs } = this.#conversation;
    if (isFinished) return undefined;
    const frame = this.#isOnHold ? undefined : voice.speak(nowMs, holdsAnswers(phase));
    detector.played(frame);
    return frame;
  }

  finish(): Promise<VoiceAgentResult> {
    this.#result ??= this.#finish();
    return this.#result;
  }

  async #finish(): Promise<VoiceAgentResult> {
    const { detector, line, metrics, record, voice } = this.#conversation;
    this.#conversation.finish();
    for (const spoken of voice.follow()) metrics.agentSpoke(spoken);
    const cut = voice.cut();
    if (cut !== null) metrics.agentSpoke(cut);
    this.#conversation.cutCallee();
    detector.free();
    if (this.#failure.reason === null) await this.#lastWords();
    line.release();
    return record.result();
  }

  async #lastWords(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    this.#conversation.line.send({ kind: 'close' });
    const limit = new AbortController();
    await Promise.race([closed, pause(this.#clock, LAST_WORDS_WITHIN_MS, limit.signal)]);
    limit.abort();
  }

  #onMind(event: FromMind): void {
    if (event.kind === 'closed' || event.kind === 'failed') this.#onClosed?.();
    this.#mindEvents.receive(event);
  }

  #followCallee(heard: Heard): void {
    const { detector, voice, over, metrics, record, waiting, phase } = this.#conversation;
    const isPlayed = voice.playing && !holdsAnswers(phase);
    over.follow(heard, isPlayed);
    // The provider hears it too.
    if (detector.isEcho) over.reset();
    metrics.follow(isPlayed, over.lastSpeechMs);
    this.#ending.follow();
    if (heard.ended === undefined) return;
    record.calleeSpoke(heard.ended);
    waiting.calleeSpoke(heard.ended.endMs, heard.nowMs, phase.name === 'talking');
  }
}
