import { BYTES_PER_MS } from '../../sound/ulaw.ts';

/** The items that the provider has sent sound for on this connection, and which of them were cut. */
export class Answers {
  readonly #items = new Map<string, { receivedBytes: number; cut: boolean }>();

  /** Sound of an item arrived. False: the item was cut, so the callee will not hear it. */
  received(item: string, bytes: number): boolean {
    const answer = this.#items.get(item) ?? { receivedBytes: 0, cut: false };
    this.#items.set(item, answer);
    answer.receivedBytes += bytes;
    return !answer.cut;
  }

  isCut(item: string): boolean {
    return this.#items.get(item)?.cut === true;
  }

  /**
   * Where the provider must truncate an item of which `playedMs` were heard: never beyond what it sent, which it would
   * reject. Null for an item that was cut before, or that belongs to an earlier connection.
   */
  cut(item: string, playedMs: number): number | null {
    const answer = this.#items.get(item);
    if (answer === undefined || answer.cut) return null;
    answer.cut = true;
    return Math.max(0, Math.min(Math.floor(playedMs), Math.floor(answer.receivedBytes / BYTES_PER_MS)));
  }
}
