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
import type { TurnDetector, Heard } from '../hearing/turn-detector.ts';
import { isLongPrompt } from '../hearing/who-answered.ts';
import { ConversationRecord } from '../transcript/conversation-record.ts';
import type { ScriptLine } from './script-line.ts';
import type { Utterance } from './line-player.ts';
import { nextMove, type Move } from './next-move.ts';
import { afterHold, awaitsBeep, allowsBargeIn, type Phase } from './phase.ts';
import { ScriptCursor } from './script-cursor.ts';
import type { Script } from './script.ts';
import { Speaker } from './speaker.ts';

export interface ScriptedAgentOptions {
  readonly script: Script;
  readonly detector: TurnDetector;
  /** Receives the error of a line that could not be spoken; the call ends with `agent_error`. */
  readonly onError: (error: unknown) => void;
  /** The conversation is over: no other line is needed. */
  readonly onFinished: () => void;
}

const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);

/** Follows a script through one call. Heard frames are its only clock. */
export class ScriptedAgent implements VoiceAgent {
  readonly #options: ScriptedAgentOptions;
  readonly #detector: TurnDetector;
  readonly #cursor: ScriptCursor;
  readonly #record = new ConversationRecord((event) => this.#emit(event));
  readonly #speaker = new Speaker(this.#record);
  readonly #listeners: ((event: VoiceAgentEvent) => void)[] = [];
  #phase: Phase = { name: 'opening', sinceMs: 0 };
  #isOnHold = false;
  /** The callee has replied to the first message: beeps no longer mean voicemail. */
  #settled = false;
  #optedOut = false;
  #result: VoiceAgentResult | undefined;

  constructor(options: ScriptedAgentOptions) {
    this.#options = options;
    this.#detector = options.detector;
    this.#cursor = new ScriptCursor(options.script);
  }

  listen(listener: (event: VoiceAgentEvent) => void): void {
    this.#listeners.push(listener);
  }

  hear(frame: Frame): void {
    if (this.#result !== undefined) return;
    if (this.#isOnHold) {
      // Probably music on hold. Only time advances.
      this.#detector.hear(SILENCE);
      return;
    }
    const heard = this.#detector.hear(frame);
    if (heard.ended !== undefined) this.#record.calleeSpoke(heard.ended);
    this.#followLine(heard);
    if (heard.beep && this.#awaitsBeep()) this.#onBeep();
    else this.#carryOut(this.#move(heard), heard);
  }

  setOnHold(isOnHold: boolean): void {
    if (isOnHold === this.#isOnHold) return;
    this.#isOnHold = isOnHold;
    if (isOnHold) this.#cutCallee();
    else this.#phase = afterHold(this.#phase, this.#detector.nowMs());
  }

  hearDigits(digits: string): void {
    if (this.#result !== undefined || digits === '') return;
    const nowMs = this.#detector.nowMs();
    this.#cutCallee();
    this.#record.calleePressed(digits, nowMs);
    const { optOut } = this.#options.script;
    if (optOut !== undefined && digits.includes(optOut.key)) return this.#onOptOut(optOut.confirmation);
    if (!allowsBargeIn(this.#phase)) return;
    const choice = this.#cursor.choose(digits);
    if (choice !== undefined) {
      this.#breakOff();
      this.#say(choice);
    } else if (this.#phase.name === 'awaiting_reply') {
      this.#phase = { ...this.#phase, sinceMs: nowMs };
    }
  }

  speak(): Frame | undefined {
    if (this.#result !== undefined || this.#isOnHold) return undefined;
    return this.#speaker.speak(this.#detector.nowMs());
  }

  finish(): VoiceAgentResult {
    this.#result ??= this.#finish();
    return this.#result;
  }

  #finish(): VoiceAgentResult {
    this.#speaker.stop();
    this.#cutCallee();
    this.#detector.free();
    this.#options.onFinished();
    return this.#record.result();
  }

  #move(heard: Heard): Move {
    return nextMove(this.#phase, {
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
    // Without its confirmation, an opt-out still ends the call.
    if (this.#optedOut) this.#hangUp('opted_out');
    else this.#hangUp('agent_error', callFailureOf(progress.error));
  }

  #afterLine(line: ScriptLine, spokenOver: boolean): void {
    const sinceMs = this.#detector.nowMs();
    switch (line.purpose) {
      case 'script':
        // A callee who stays for the whole message is not a screening service.
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
      case 'opt_out':
        this.#phase = { name: 'parting', sinceMs, reason: 'opted_out' };
        return;
      default:
        return unreachable(line.purpose);
    }
  }

  #awaitReply(answered: boolean): void {
    this.#phase = { name: 'awaiting_reply', sinceMs: this.#detector.nowMs(), answered };
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

  /** Counts in every phase, and once. After our hang-up nothing can be said any more. */
  #onOptOut(confirmation: ScriptLine): void {
    if (this.#optedOut) return;
    this.#optedOut = true;
    this.#emit({ kind: 'opt_out', evidence: 'key', note: null });
    if (this.#phase.name === 'over') return;
    this.#breakOff();
    this.#say(confirmation);
  }

  /** A prompt without a beep: a menu gets a key, a screening service the reply, any other callee the script. */
  #onPromptOver(promptMs: number): void {
    const isLong = isLongPrompt(promptMs);
    const key = isLong ? this.#cursor.takeMenuKey() : undefined;
    if (key !== undefined) {
      this.#record.decide('ivr');
      this.#record.agentPressed(key);
      this.#phase = { name: 'awaiting_menu', sinceMs: this.#detector.nowMs(), promptMs };
      return;
    }
    const reply = this.#cursor.takeScreeningReply();
    if (reply !== undefined) {
      this.#record.decide('screening');
      return this.#say(reply);
    }
    // A shorter prompt may be a person's: a reply to the script will show it.
    if (isLong && this.#record.answeredBy === undefined) this.#record.decideUnknown(promptMs);
    this.#say(this.#cursor.next());
  }

  /** `heard` if the callee may be in the middle of an overlong turn. */
  #say(line: ScriptLine, heard?: Heard): void {
    this.#speaker.say(line);
    // Synthesized during this line: a call may end early, and synthesis competes with audio for the CPU.
    void this.#cursor.upcoming?.prepare();
    this.#phase = { name: 'saying', line, overTurnMs: heard?.turn?.startMs };
  }

  /** Stops the current line and makes the carrier drop its buffered sound. */
  #breakOff(): Utterance | undefined {
    const spoken = this.#speaker.stop();
    if (spoken !== undefined) this.#emit({ kind: 'interrupted', atMs: this.#detector.nowMs() });
    return spoken;
  }

  #cutCallee(): void {
    const turn = this.#detector.cut();
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
