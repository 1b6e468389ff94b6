/**
 * Delivers events in order to one listener. Keeps events that are emitted before the listener is set, so that a caller
 * may open a leg or a conversation and listen later.
 */
export class EventChannel<Event> {
  #listener: ((event: Event) => void) | undefined;
  #early: Event[] = [];

  listen(listener: (event: Event) => void): void {
    this.#listener = listener;
    const early = this.#early;
    this.#early = [];
    for (const event of early) listener(event);
  }

  emit(event: Event): void {
    if (this.#listener) this.#listener(event);
    else this.#early.push(event);
  }
}
