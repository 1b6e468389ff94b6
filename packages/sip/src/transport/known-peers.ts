/** More addresses than any operator has trunks. */
const MOST_ADDRESSES = 1_000;

/**
 * The addresses to which this process has opened a way itself: those of the configured trunks, which it asks whether
 * they are up, and of the far ends of its calls. Connections from them are worth more than a stranger's.
 */
export class KnownPeers {
  readonly #addresses = new Set<string>();

  note(address: string): void {
    this.#addresses.delete(address);
    this.#addresses.add(address);
    const [oldest] = this.#addresses;
    if (this.#addresses.size > MOST_ADDRESSES && oldest !== undefined) this.#addresses.delete(oldest);
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }
}
