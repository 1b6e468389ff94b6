import type { Heard } from '../../hearing/turn-detector.ts';
import { isLongPrompt } from '../../hearing/who-answered.ts';
import { HINTS } from '../conducted-texts.ts';
import { awaitsBeep } from '../phase.ts';
import type { Conversation } from './conversation.ts';

/** Decides who answered. Nothing of the mind is played before the gate opens. */
export class Gate {
  readonly #conversation: Conversation;
  #isOpen = false;
  #isSettled = false;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The callee has replied to the agent: beeps no longer mean voicemail. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  onProceed(heard: Heard): void {
    const { phase, record } = this.#conversation;
    const undecided = phase.name === 'greeted' && record.answeredBy === undefined;
    if (undecided) record.decide(heard.ended === undefined ? 'unknown' : 'human');
    const passedOn = phase.name === 'awaiting_pass_on' && heard.ended !== undefined;
    if (passedOn) record.decide('human');
    this.#open();
  }

  /** A prompt without a beep: a menu gets the model, a screening service the reply, any other callee the conversation. */
  onPromptOver(promptMs: number): void {
    const { settings, texts, record } = this.#conversation;
    const isLong = isLongPrompt(promptMs);
    if (isLong && settings.tools.some(({ type }) => type === 'press_digits')) {
      record.decide('ivr');
      this.#conversation.breakOff();
      return this.#open({ answersAtOnce: true });
    }
    if (texts.screening !== null && record.answeredBy !== 'screening') {
      record.decide('screening');
      return this.#conversation.sayLine('screening', texts.screening);
    }
    if (isLong && record.answeredBy === undefined) record.decideUnknown(promptMs);
    this.#open();
  }

  onReply(): void {
    const { record } = this.#conversation;
    if (record.answeredBy === undefined) record.decide('human');
    this.#isSettled = true;
  }

  beepMeansVoicemail(): boolean {
    const { phase, record } = this.#conversation;
    if (phase.name === 'awaiting_tone') return false;
    return !this.#isSettled && record.answeredBy !== 'voicemail' && awaitsBeep(phase);
  }

  onBeep(): void {
    const { settings, record } = this.#conversation;
    this.#conversation.cutCallee();
    record.decide('voicemail');
    if (settings.voicemail.action === 'leave_message') return this.leaveMessage();
    this.#conversation.breakOff();
    this.#conversation.hangUp('voicemail_reached');
  }

  leaveMessage(): void {
    const { texts, record } = this.#conversation;
    record.decide('voicemail');
    this.#conversation.sayLine('voicemail', texts.voicemail, HINTS.voicemail);
  }

  /** From now on the mind answers by itself, and what waited is played. */
  #open({ answersAtOnce = false } = {}): void {
    const { settings, waiting, voice, line, nowMs } = this.#conversation;
    const isFirst = !this.#isOpen;
    this.#isOpen = true;
    this.#conversation.enter({ name: 'talking' });
    waiting.countSilenceFrom(nowMs);
    if (isFirst) line.send({ kind: 'open_gate' });
    const firstWordsCome = settings.first_speaker === 'agent' && isFirst && !answersAtOnce;
    if (!firstWordsCome) {
      if (waiting.calleeHasSpoken) this.#conversation.askAnswer(null);
    } else if (voice.playing) waiting.settle(nowMs);
    else waiting.asked(nowMs);
  }
}
