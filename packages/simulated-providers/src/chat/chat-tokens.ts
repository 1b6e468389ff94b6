const CHARACTERS_PER_TOKEN = 4;

/** Roughly as the real ones count English text and JSON. */
export const chatTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

export interface ReadTokens {
  /** With the cached ones. */
  readonly prompt: number;
  readonly cached: number;
}

/** Tokens of requests: what an earlier request of this server began with is cached. */
export class ChatTokens {
  #earlier: readonly string[] = [];

  /** `parts`: of the request, in the order in which the model reads them. */
  read(parts: readonly string[]): ReadTokens {
    const same = parts.findIndex((part, index) => part !== this.#earlier[index]);
    const counts = parts.map((part) => chatTokens(part));
    const sum = (until: number) => counts.slice(0, until).reduce((total, count) => total + count, 0);
    this.#earlier = parts;
    return { prompt: sum(parts.length), cached: sum(same < 0 ? parts.length : same) };
  }
}
