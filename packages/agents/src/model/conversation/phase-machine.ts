import { unreachable } from '@outdial/kernel';
import type { Heard } from '../../hearing/turn-detector.ts';
import type { ScriptLine } from '../../scripted/script-line.ts';
import { HINTS } from '../conducted-texts.ts';
import type { Spoken } from '../model-voice.ts';
import { moveOn, type Move } from '../move-on.ts';
import type { FixedLine } from '../phase.ts';
import type { Conversation } from './conversation.ts';
import type { Failure } from './failure.ts';
import { PresentMoment, type MomentSources } from './present-moment.ts';

export interface PhaseMachineOptions extends MomentSources {
  readonly failure: Failure;
  /** By the built-in voice. */
  readonly failureLine: ScriptLine;
  readonly waitingLines: readonly ScriptLine[];
}

/** Walks through the phases of a conversation, frame by frame. */
export class PhaseMachine {
  readonly #options: PhaseMachineOptions;
  readonly #conversation: Conversation;
  readonly #moment: PresentMoment;
  #fillers = 0;

  constructor(options: PhaseMachineOptions) {
    this.#options = options;
    this.#conversation = options.conversation;
    this.#moment = new PresentMoment(options);
  }

  follow(heard: Heard): void {
    const { gate, acts } = this.#options;
    for (const spoken of this.#conversation.voice.follow()) this.#afterItem(spoken);
    this.#followFailureLine();
    acts.follow();
    if (this.#conversation.waiting.areToolsRunning) this.#conversation.voice.forgiveSilence();
    if (heard.beep && gate.beepMeansVoicemail()) gate.onBeep();
    else {
      this.#moment.heard = heard;
      this.#carryOut(moveOn(this.#conversation.phase, this.#moment), heard);
    }
  }

  #carryOut(move: Move, heard: Heard): void {
    const { gate, ending, transferring, failure, failureLine } = this.#options;
    const { phase, voice, over, metrics, nowMs } = this.#conversation;
    switch (move.kind) {
      case 'stay':
        return;
      case 'enter':
        if (move.phase.name === 'awaiting_beep' && phase.name === 'talking') this.#conversation.breakOff();
        return this.#conversation.enter(move.phase);
      case 'proceed':
        return gate.onProceed(heard);
      case 'prompt_over':
        return gate.onPromptOver(move.promptMs);
      case 'replied':
        return gate.onReply();
      case 'pause':
        metrics.bargedIn(nowMs - over.beganMs);
        return voice.pause(nowMs);
      case 'resume':
        over.reset();
        return voice.resume();
      case 'cut':
        ending.onCut();
        return transferring.onCut();
      case 'transfer':
        return transferring.begin();
      case 'introduced':
        return transferring.introduced();
      case 'fill_wait':
        return this.#fillWait();
      case 'late':
        this.#conversation.waiting.late();
        return this.#conversation.line.send({ kind: 'late' });
      case 'overdue':
        return failure.onFailed(null, 'no_answer_in_time', 'provider_unavailable');
      case 'no_input':
        return this.#onNoInput();
      case 'leave_message':
        return gate.leaveMessage();
      case 'line_missing':
        return this.#afterLine(phase.name === 'saying' ? phase.line : 'closing');
      case 'say_failure':
        // A callee who has opted out need not learn of it.
        if (this.#conversation.hasOptedOut) return failure.afterMessage();
        this.#conversation.enter({ name: 'saying', line: 'failure', sinceMs: nowMs });
        return voice.sayBuiltIn(failureLine);
      case 'hang_up':
        return this.#conversation.hangUp(move.reason);
      default:
        return unreachable(move);
    }
  }

  #fillWait(): void {
    const { waitingLines } = this.#options;
    const line = waitingLines[this.#fillers % Math.max(1, waitingLines.length)];
    this.#fillers += 1;
    this.#conversation.waiting.filled();
    if (line !== undefined) this.#conversation.voice.sayBuiltIn(line, { isFiller: true });
  }

  #onNoInput(): void {
    const { settings, texts, waiting, voice, nowMs } = this.#conversation;
    if (waiting.noInputs >= settings.no_input.times) return this.#conversation.hangUp('silence_timeout');
    waiting.askedForNoInput(nowMs);
    voice.ask({ purpose: 'no_input', text: texts.noInput }, HINTS.noInput);
  }

  #afterItem(spoken: Spoken): void {
    const { record, metrics, waiting, nowMs } = this.#conversation;
    metrics.agentSpoke(spoken);
    waiting.countSilenceFrom(nowMs);
    const { purpose, words } = spoken;
    switch (purpose) {
      case 'voicemail':
        record.leftMessage();
        return this.#afterLine(purpose);
      case 'screening':
      case 'closing':
      case 'opt_out':
        return this.#afterLine(purpose);
      case 'answer':
        return this.#options.ending.afterAnswer(words);
      case 'transfer':
        // One that was cut has been answered for.
        return spoken.interrupted ? undefined : this.#options.transferring.begin();
      case 'introduction':
        return spoken.interrupted ? undefined : this.#options.transferring.introduced();
      case 'opening':
      case 'no_input':
        // A callee who stays for the whole message is not a screening service.
        if (record.answeredBy === 'screening') record.decide('human');
        return;
      default:
        return unreachable(purpose);
    }
  }

  #afterLine(line: FixedLine): void {
    const sinceMs = this.#conversation.nowMs;
    switch (line) {
      case 'screening':
        return this.#conversation.enter({ name: 'awaiting_pass_on', sinceMs });
      case 'voicemail':
        return this.#conversation.enter({ name: 'parting', sinceMs, reason: 'voicemail_reached' });
      case 'closing':
        return this.#options.ending.afterClosing();
      case 'opt_out':
        return this.#conversation.enter({ name: 'parting', sinceMs, reason: 'opted_out' });
      case 'failure':
        return this.#options.failure.afterMessage();
      default:
        return unreachable(line);
    }
  }

  #followFailureLine(): void {
    const { phase, voice } = this.#conversation;
    const isFailureLine = phase.name === 'saying' && phase.line === 'failure';
    if (isFailureLine && voice.builtInState() !== 'speaking') this.#afterLine('failure');
  }
}
