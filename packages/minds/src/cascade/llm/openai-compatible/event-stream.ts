/** Far more than the longest event of a model. */
const MAX_EVENT_CHARACTERS = 256 * 1_024;

/** Reads the data of server-sent events (WHATWG HTML section 9.2) from bytes that are cut anywhere, also within a character. */
export class EventStream {
  readonly #decoder = new TextDecoder();
  #text = '';
  #endsLine = false;
  #data: string[] = [];
  #dataCharacters = 0;

  /** An event does not end: nothing of this stream is kept any more. */
  get isTooLong(): boolean {
    return this.#text.length + this.#dataCharacters > MAX_EVENT_CHARACTERS;
  }

  /** The data of the events that are complete. */
  add(bytes: Uint8Array): readonly string[] {
    if (this.isTooLong) return [];
    const added = this.#decoder.decode(bytes, { stream: true });
    this.#text += added;
    // A line that goes on is searched once, however small its pieces are.
    if (!this.#endsLine && !/[\r\n]/.test(added)) return [];
    this.#endsLine = added === '' ? this.#endsLine : added.endsWith('\r');
    const lines = this.#text.split(/\r\n|\n|\r(?!$)/);
    this.#text = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): readonly string[] {
    if (line.startsWith('data:')) {
      const data = line.slice(line.startsWith('data: ') ? 6 : 5);
      this.#data.push(data);
      this.#dataCharacters += data.length;
    } else if (line === '' && this.#data.length > 0) {
      const event = this.#data.join('\n');
      this.#data = [];
      this.#dataCharacters = 0;
      return [event];
    }
    return [];
  }
}
