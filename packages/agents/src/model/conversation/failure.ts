import type { ProviderHangUp } from '@outdial/calls';
import type { Component, ConductedSettings } from '@outdial/contracts';
import { holdsAnswers } from '../phase.ts';
import type { Conversation } from './conversation.ts';

/** What answers: the model of the whole conversation, or that of its text. */
const mainComponentOf = ({ driver }: ConductedSettings): Component => (driver === 'realtime' ? 'realtime' : 'llm');

/** What a call does without its mind. */
export class Failure {
  readonly #conversation: Conversation;
  #reason: ProviderHangUp | null = null;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  /** Why the mind failed; null while it has not. */
  get reason(): ProviderHangUp | null {
    return this.#reason;
  }

  /**
   * Before the answer the call ends at once; afterwards it ends with what was said and the failure message. `component` is
   * null if the mind failed as a whole.
   */
  onFailed(component: Component | null, failure: string, reason: ProviderHangUp): void {
    const { phase, settings, voice, isFinished, nowMs } = this.#conversation;
    if (isFinished || this.#reason !== null || phase.name === 'over') return;
    this.#reason = reason;
    this.#conversation.emit({ kind: 'provider_failed', component: component ?? mainComponentOf(settings), failure });
    if (nowMs === 0) return this.#conversation.hangUp(reason);
    if (phase.name === 'parting') return;
    voice.resume();
    voice.allOver();
    if (holdsAnswers(phase)) this.#conversation.breakOff();
    this.#conversation.enter({ name: 'failing' });
  }

  afterMessage(): void {
    const { nowMs } = this.#conversation;
    this.#conversation.enter({ name: 'parting', sinceMs: nowMs, reason: this.#reason ?? 'provider_unavailable' });
  }
}
