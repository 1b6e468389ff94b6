import type { MindEvent, ProviderFailure } from '@outdial/minds';

/** Of a call. A conversation of an hour has some 600 turns with 60,000 characters. */
const MAX_CHARACTERS = 500_000;
const MAX_TURNS = 2_000;
const MAX_TOOL_CALLS = 500;
const MAX_ITEMS = 5_000;

export const EXCESS: Omit<ProviderFailure, 'component'> = {
  kind: 'invalid_response',
  message: 'the provider sent more than a conversation has',
  retryAfterMs: null,
};

/** How much a provider may report of one call: all of it is kept until the call ends, and stored. */
export class CallBounds {
  #characters = 0;
  #turns = 0;
  #toolCalls = 0;
  readonly #items = new Set<string>();

  /** Whether the call has more than any conversation. */
  isExceededBy(event: MindEvent): boolean {
    if (event.kind === 'words') this.#characters += event.text.length;
    if (event.kind === 'callee_said') {
      this.#turns += 1;
      this.#characters += event.text?.length ?? 0;
    }
    if (event.kind === 'tool_call') this.#toolCalls += 1;
    if (event.kind === 'words' || event.kind === 'sound') this.#items.add(event.item);
    const isTooMuch = this.#toolCalls > MAX_TOOL_CALLS || this.#turns > MAX_TURNS || this.#items.size > MAX_ITEMS;
    return isTooMuch || this.#characters > MAX_CHARACTERS;
  }
}
