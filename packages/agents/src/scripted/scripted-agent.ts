import {
  callFailureOf,
  FRAME_SAMPLES,
  type AgentHangUp,
  type Frame,
  type VoiceAgent,
  type VoiceAgentEvent,
  type VoiceAgentResult,
} from '@outdial/calls';
import type { CallFailure } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { Ear, Heard } from '../hearing/ear.ts';
import { ConversationRecord } from './conversation-record.ts';
import type { Line } from './line.ts';
import type { Utterance } from './mouth.ts';
import { moveOn, type Move } from './move-on.ts';
import { afterHold, awaitsBeep, givesWay, type Phase } from './phase.ts';
import { ScriptCursor } from './script-cursor.ts';
import type { Script } from './script.ts';
import { Speaker } from './speaker.ts';
import { isLongPrompt } from './who-answered.ts';

export interface ScriptedAgentOptions {
  readonly script: Script;
  readonly ear: Ear;
  /** Learns why a line could not be spoken; the call ends with `agent_error`. */
  readonly onError: (error: unknown) => void;
  /** The conversation is over: no further line is needed. */
  readonly onFinished: () => void;
}

const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);

/** Follows a script through one call. Its only clock is the frames that it hears. */
export class ScriptedAgent implements VoiceAgent {
  readonly #options: ScriptedAgentOptions;
  readonly #ear: Ear;
  readonly #cursor: ScriptCursor;
  readonly #record = new ConversationRecord((event) => this.#emit(event));
  readonly #speaker = new Speaker(this.#record);
  readonly #listeners: ((event: VoiceAgentEvent) => void)[] = [];
  #phase: Phase = { name: 'opening', sinceMs: 0 };
  #held = false;
  /** The callee has replied to the first message: from now on a beep is only a beep. */
  #settled = false;
  #result: VoiceAgentResult | undefined;

  constructor(options: ScriptedAgentOptions) {
    this.#options = options;
    this.#ear = options.ear;
    this.#cursor = new ScriptCursor(options.script);
  }

  listen(listener: (event: VoiceAgentEvent) => void): void {
    this.#listeners.push(listener);
  }

  hear(frame: Frame): void {
    if (this.#result !== undefined) return;
    if (this.#held) {
      // Music, most likely. Time goes on in it, and nothing else does.
      this.#ear.hear(SILENCE);
      return;
    }
    const heard = this.#ear.hear(frame);
    if (heard.ended !== undefined) this.#record.calleeSpoke(heard.ended);
    this.#followLine(heard);
    if (heard.beep && this.#awaitsBeep()) this.#onBeep();
    else this.#carryOut(this.#move(heard), heard);
  }

  hold(held: boolean): void {
    if (held === this.#held) return;
    this.#held = held;
    if (held) this.#cutCallee();
    else this.#phase = afterHold(this.#phase, this.#ear.nowMs());
  }

  hearDigits(digits: string): void {
    if (this.#result !== undefined || digits === '') return;
    const nowMs = this.#ear.nowMs();
    this.#cutCallee();
    this.#record.calleePressed(digits, nowMs);
    if (!givesWay(this.#phase)) return;
    const choice = this.#cursor.choose(digits);
    if (choice !== undefined) {
      this.#breakOff();
      this.#say(choice);
    } else if (this.#phase.name === 'awaiting_reply') {
      this.#phase = { ...this.#phase, sinceMs: nowMs };
    }
  }

  speak(): Frame | undefined {
    if (this.#result !== undefined || this.#held) return undefined;
    return this.#speaker.speak(this.#ear.nowMs());
  }

  finish(): VoiceAgentResult {
    this.#result ??= this.#finish();
    return this.#result;
  }

  #finish(): VoiceAgentResult {
    this.#speaker.stop();
    this.#cutCallee();
    this.#ear.free();
    this.#options.onFinished();
    return this.#record.result();
  }

  #move(heard: Heard): Move {
    return moveOn(this.#phase, {
      heard,
      answeredBy: this.#record.answeredBy,
      firstWordMs: this.#speaker.firstWordMs,
      noInputAfterMs: this.#options.script.noInputAfterMs,
      bargeIn: this.#options.script.bargeIn,
    });
  }

  #carryOut(move: Move, heard: Heard): void {
    switch (move.kind) {
      case 'stay':
        return;
      case 'enter':
        this.#phase = move.phase;
        return;
      case 'proceed':
        return this.#onProceed(heard);
      case 'reply':
        return this.#onReply(heard);
      case 'prompt_over':
        return this.#onPromptOver(move.promptMs);
      case 'no_input':
        return this.#onNoInput();
      case 'interrupt':
        return this.#onInterrupt();
      case 'hang_up':
        return this.#hangUp(move.reason);
      default:
        return unreachable(move);
    }
  }

  #followLine(heard: Heard): void {
    const progress = this.#speaker.follow(heard);
    if (progress?.kind === 'finished') return this.#afterLine(progress.line, progress.spokenOver);
    if (progress?.kind !== 'failed') return;
    this.#options.onError(progress.error);
    this.#hangUp('agent_error', callFailureOf(progress.error));
  }

  #afterLine(line: Line, spokenOver: boolean): void {
    const sinceMs = this.#ear.nowMs();
    switch (line.purpose) {
      case 'script':
        // Whoever stays for the whole message is no screening service any more.
        if (this.#record.answeredBy === 'screening') this.#record.decide('human');
        return this.#awaitReply(spokenOver);
      case 'menu':
      case 'no_input':
        return this.#awaitReply(spokenOver);
      case 'screening':
        this.#phase = { name: 'awaiting_pass_on', sinceMs };
        return;
      case 'closing':
        this.#phase = { name: 'parting', sinceMs, reason: 'agent_hangup' };
        return;
      case 'voicemail':
        this.#phase = { name: 'parting', sinceMs, reason: 'voicemail_reached' };
        return;
      default:
        return unreachable(line.purpose);
    }
  }

  #awaitReply(answered: boolean): void {
    this.#phase = { name: 'awaiting_reply', sinceMs: this.#ear.nowMs(), answered };
  }

  #onProceed(heard: Heard): void {
    const undecided = this.#phase.name === 'greeted' && this.#record.answeredBy === undefined;
    if (undecided) this.#record.decide(heard.ended === undefined ? 'unknown' : 'human');
    this.#say(this.#cursor.next(), heard);
  }

  #onReply(heard: Heard): void {
    if (this.#record.answeredBy === undefined) this.#record.decide('human');
    if (!this.#cursor.owesRepetition) this.#settled = true;
    this.#cursor.replied();
    this.#say(this.#cursor.next(), heard);
  }

  #onNoInput(): void {
    const prompt = this.#cursor.noInput();
    if (prompt === undefined) this.#hangUp('silence_timeout');
    else this.#say(prompt);
  }

  #onInterrupt(): void {
    const line = this.#speaker.line();
    const spoken = this.#breakOff();
    if (line !== undefined) this.#cursor.cutOff(line, spoken?.playedShare ?? 0);
    this.#awaitReply(false);
  }

  #onBeep(): void {
    this.#breakOff();
    this.#cutCallee();
    this.#record.decide('voicemail');
    const message = this.#options.script.voicemail;
    if (message === undefined) this.#hangUp('voicemail_reached');
    else this.#say(message);
  }

  /** A prompt without a beep: a menu gets a key, a screening service its answer, anybody else the script. */
  #onPromptOver(promptMs: number): void {
    const isLong = isLongPrompt(promptMs);
    const key = isLong ? this.#cursor.takeMenuKey() : undefined;
    if (key !== undefined) {
      this.#record.decide('ivr');
      this.#record.agentPressed(key);
      this.#phase = { name: 'awaiting_menu', sinceMs: this.#ear.nowMs(), promptMs };
      return;
    }
    const reply = this.#cursor.takeScreeningReply();
    if (reply !== undefined) {
      this.#record.decide('screening');
      return this.#say(reply);
    }
    // A shorter one may have been a person's: whoever replies to the script is one.
    if (isLong && this.#record.answeredBy === undefined) this.#record.decideUnknown(promptMs);
    this.#say(this.#cursor.next());
  }

  /** `heard` where the callee may be in the middle of a turn that has gone on for too long. */
  #say(line: Line, heard?: Heard): void {
    this.#speaker.say(line);
    // Made while this one is said: of a long script little may be heard, and speech takes a processor from the sound.
    void this.#cursor.upcoming?.prepare();
    this.#phase = { name: 'saying', line, overTurnMs: heard?.turn?.startMs };
  }

  /** Stops the line under way and has the carrier drop what it still holds of it. */
  #breakOff(): Utterance | undefined {
    const spoken = this.#speaker.stop();
    if (spoken !== undefined) this.#emit({ kind: 'interrupted', atMs: this.#ear.nowMs() });
    return spoken;
  }

  #cutCallee(): void {
    const turn = this.#ear.cut();
    if (turn !== undefined) this.#record.calleeSpoke(turn);
  }

  #awaitsBeep(): boolean {
    return !this.#settled && this.#record.answeredBy !== 'voicemail' && awaitsBeep(this.#phase);
  }

  #hangUp(reason: AgentHangUp, failure?: CallFailure): void {
    if (this.#phase.name === 'over') return;
    this.#phase = { name: 'over' };
    this.#emit({ kind: 'hang_up', reason, ...(failure === undefined ? {} : { failure }) });
  }

  #emit(event: VoiceAgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
