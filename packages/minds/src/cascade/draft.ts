import type { UsageEntry } from '../mind.ts';
import type { Thinking, ThinkingEvent } from './thinking.ts';

/** An answer that the model begins before the callee's turn is certainly over. Nothing of it is heard until it is used. */
export class Draft {
  readonly text: string;
  readonly #thinking: Thinking;
  #events: ThinkingEvent[] = [];
  #listener: ((event: ThinkingEvent) => void) | null = null;
  #usage: ((entries: readonly UsageEntry[]) => void) | null = null;

  constructor(text: string, think: (listener: (event: ThinkingEvent) => void) => Thinking) {
    this.text = text;
    this.#thinking = think((event) => this.#receive(event));
  }

  /** It is paid for whether it is used or not. */
  usageTo(listener: (entries: readonly UsageEntry[]) => void): void {
    this.#usage = listener;
  }

  /** The turn was over: the answer so far, and all that follows. */
  use(listener: (event: ThinkingEvent) => void): void {
    this.#listener = listener;
    for (const event of this.#events.splice(0)) listener(event);
  }

  cancel(): void {
    this.#thinking.cancel();
    this.#events = [];
  }

  #receive(event: ThinkingEvent): void {
    if (this.#listener !== null) return this.#listener(event);
    if (event.kind === 'usage') this.#usage?.(event.entries);
    else this.#events.push(event);
  }
}
