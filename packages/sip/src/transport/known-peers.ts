/** More addresses than any operator has trunks. */
const MAX_ADDRESSES = 1_000;

/**
 * The addresses to which this process has connected: those of the configured trunks, to which it sends OPTIONS, and
 * those of the far ends of its calls. Their connections take precedence over a stranger's.
 */
export class KnownPeers {
  readonly #addresses = new Set<string>();

  note(address: string): void {
    this.#addresses.delete(address);
    this.#addresses.add(address);
    const [oldest] = this.#addresses;
    if (this.#addresses.size > MAX_ADDRESSES && oldest !== undefined) this.#addresses.delete(oldest);
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }
}
