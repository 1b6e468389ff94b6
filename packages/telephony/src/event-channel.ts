/**
 * Events in order to one listener. What is emitted before the listener comes is kept for it, so that whoever opens a
 * leg or a conversation may take its time until it listens.
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
