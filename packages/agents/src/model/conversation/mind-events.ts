import { unreachable } from '@outdial/kernel';
import type { FromMind } from '../bridge.ts';
import { HINTS } from '../conducted-texts.ts';
import type { Acts } from './acts.ts';
import type { Conversation } from './conversation.ts';
import type { Failure } from './failure.ts';
import type { Gate } from './gate.ts';

type EventOf<Kind extends FromMind['kind']> = Extract<FromMind, { readonly kind: Kind }>;

export interface MindEventsOptions {
  readonly conversation: Conversation;
  readonly gate: Gate;
  readonly acts: Acts;
  readonly failure: Failure;
}

/** What the mind reports, between the frames. */
export class MindEvents {
  readonly #options: MindEventsOptions;
  readonly #conversation: Conversation;

  constructor(options: MindEventsOptions) {
    this.#options = options;
    this.#conversation = options.conversation;
  }

  receive(event: FromMind): void {
    const { acts, failure } = this.#options;
    const { settings, voice, waiting, over, metrics, emit } = this.#conversation;
    switch (event.kind) {
      case 'ready':
      case 'closed':
        return;
      case 'sound':
        return this.#onSound(event);
      case 'words':
        return this.#onWords(event);
      case 'answer_timed':
        return metrics.answerTimed(event);
      case 'item_over':
        voice.itemOver(event.item);
        // The silence until then is not the callee's.
        if (event.isLost === true) waiting.asked(this.#conversation.nowMs);
        return;
      case 'callee_speaking':
        // The ears of a cascade also hear noise, which no model answers: there the words alone ask for an answer.
        if (settings.driver === 'realtime') waiting.providerHears();
        return over.providerHears();
      case 'callee_said':
        return this.#onSaid(event);
      case 'answer_over':
        return this.#onAnswerOver(event);
      case 'act':
        return acts.onAct(event.id, event.act);
      case 'opted_out':
        return this.#conversation.optOut({ evidence: 'tool', note: event.note });
      case 'tool_started':
        return waiting.toolStarted(this.#conversation.nowMs);
      case 'tool_called':
        return this.#onToolCalled(event);
      case 'usage':
        return emit(event);
      case 'recovered':
        emit({ kind: 'provider_failed', component: event.component, failure: event.failure });
        return emit({ kind: 'provider_recovered', component: event.component, afterMs: event.afterMs });
      case 'failed':
        return failure.onFailed(event.component, event.failure, event.reason);
      default:
        return unreachable(event);
    }
  }

  #onSound({ item, ulaw }: EventOf<'sound'>): void {
    const { voice, waiting, isFinished, nowMs } = this.#conversation;
    if (isFinished || !voice.sound(item, ulaw, this.#options.gate.isOpen)) return;
    waiting.answerBegan(nowMs);
  }

  #onWords({ item, text, place }: EventOf<'words'>): void {
    const { voice, isFinished } = this.#conversation;
    const words = place === undefined ? { text } : { text, place };
    if (!isFinished) voice.words(item, words, this.#options.gate.isOpen);
  }

  /** Words of the callee still belong into the transcript when the call is over. */
  #onSaid({ text, startMs, endMs }: EventOf<'callee_said'>): void {
    const { detector, over, record, voice, waiting, phase, isFinished } = this.#conversation;
    if (detector.isEchoOf({ startMs, endMs })) return;
    over.understood(text, endMs);
    if (text === null) return;
    record.calleeSaid({ text, startMs, endMs });
    const isUnanswered = waiting.owedSinceMs === null && !voice.playing;
    if (!isFinished && isUnanswered && phase.name === 'talking') waiting.owe(endMs);
  }

  /** An answer without words is asked for again, once. */
  #onAnswerOver({ empty }: EventOf<'answer_over'>): void {
    const { settings, voice, waiting, phase, isFinished, nowMs } = this.#conversation;
    voice.answerOver();
    // A chain of models says a text as it is; a speech-to-speech model may say another.
    if (settings.driver === 'realtime' && !isFinished && voice.askOpeningAgain()) return;
    if (waiting.areToolsRunning || isFinished) return;
    const isOwed = waiting.owedSinceMs !== null;
    waiting.answerOver(nowMs);
    const isMissing = empty && isOwed && phase.name === 'talking';
    if (isMissing && waiting.takeSecondChance()) this.#conversation.askAnswer(HINTS.again);
  }

  #onToolCalled({ answers, ...called }: EventOf<'tool_called'>): void {
    this.#conversation.waiting.toolEnded(answers, this.#conversation.nowMs);
    this.#conversation.emit(called);
  }
}
