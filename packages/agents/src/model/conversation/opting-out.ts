import type { Conversation } from './conversation.ts';
import type { Failure } from './failure.ts';

/** A callee who wants no more calls: that is reported at once, then confirmed to the end, and then the call is over. */
export class OptingOut {
  readonly #conversation: Conversation;
  readonly #failure: Failure;
  #isConfirmed = false;

  constructor(conversation: Conversation, failure: Failure) {
    this.#conversation = conversation;
    this.#failure = failure;
  }

  isKeyIn(digits: string): boolean {
    const { key } = this.#conversation.settings.opt_out;
    return key !== undefined && digits.includes(key);
  }

  byKey(): void {
    this.#conversation.optOut({ evidence: 'key', note: null });
    this.#confirm();
  }

  /** As the model understood the callee. */
  byTool(note: string | null): void {
    this.#conversation.optOut({ evidence: 'tool', note });
    this.#confirm();
  }

  /** Without its mind, the call is ending already. After our hang-up nothing can be said any more. */
  #confirm(): void {
    const { phase, texts, isFinished } = this.#conversation;
    if (this.#isConfirmed || isFinished || phase.name === 'over' || this.#failure.reason !== null) return;
    this.#isConfirmed = true;
    this.#conversation.sayLine('opt_out', texts.optOut);
  }
}
