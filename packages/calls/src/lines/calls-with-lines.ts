import type { CallId } from '@outdial/contracts';

/** More calls than any worker drives while they wait for lines. */
const MOST_CALLS = 10_000;

/**
 * The calls of which this worker knows that they need lines. Such a call acquires everything at once when it comes back: to take a
 * trunk's channel first, only to give it back, would spend the trunk's calls per second on calls that wait for something
 * else. A call that is forgotten here is found out again by its claim.
 */
export class CallsWithLines {
  readonly #known = new Set<CallId>();

  has(callId: CallId): boolean {
    return this.#known.has(callId);
  }

  add(callId: CallId): void {
    const [oldest] = this.#known;
    if (oldest !== undefined && this.#known.size >= MOST_CALLS) this.#known.delete(oldest);
    this.#known.add(callId);
  }

  forget(callId: CallId): void {
    this.#known.delete(callId);
  }
}
