/** Reads the data of server-sent events (WHATWG HTML section 9.2) from bytes that are cut anywhere, also within a character. */
export class EventStream {
  readonly #decoder = new TextDecoder();
  #text = '';
  #data: string[] = [];

  /** The data of the events that are complete. */
  add(bytes: Uint8Array): readonly string[] {
    this.#text += this.#decoder.decode(bytes, { stream: true });
    const lines = this.#text.split(/\r\n|\n|\r(?!$)/);
    this.#text = lines.pop() ?? '';
    const events: string[] = [];
    for (const line of lines) {
      if (line.startsWith('data:')) this.#data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      else if (line === '' && this.#data.length > 0) {
        events.push(this.#data.join('\n'));
        this.#data = [];
      }
    }
    return events;
  }
}
