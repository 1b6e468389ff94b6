/** What may be left of an id at the end of a part. */
const CARRIED = 128;

/**
 * Whether a stream has had the answer to a request, by the id of the request. Other data may look like it: then the
 * answer counts as there, and a wait ends by its time only.
 */
export class AwaitedAnswer {
  readonly #answer: RegExp;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #hasCome = false;

  constructor(id: string | number) {
    const escaped = JSON.stringify(id).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    this.#answer = new RegExp(`"id"\\s{0,9}:\\s{0,9}${escaped}(?!\\d)`);
  }

  get hasCome(): boolean {
    return this.#hasCome;
  }

  read(bytes: Uint8Array): void {
    if (this.#hasCome) return;
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    this.#hasCome = this.#answer.test(text);
    this.#rest = text.slice(-CARRIED);
  }
}
