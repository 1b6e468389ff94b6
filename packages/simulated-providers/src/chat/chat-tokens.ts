import type { ChatRequest } from './chat-request.ts';

const CHARACTERS_PER_TOKEN = 4;

/** Roughly as the real ones count English text and JSON. */
export const chatTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);

/** Tokens of requests: what an earlier request of this server began with is cached. */
export class ChatTokens {
  #earlier: readonly string[] = [];

  read(request: ChatRequest): { readonly prompt: number; readonly cached: number } {
    const parts = [JSON.stringify(request.tools ?? []), ...request.messages.map((message) => JSON.stringify(message))];
    const same = parts.findIndex((part, index) => part !== this.#earlier[index]);
    const counts = parts.map((part) => chatTokens(part));
    const sum = (until: number) => counts.slice(0, until).reduce((total, count) => total + count, 0);
    this.#earlier = parts;
    return { prompt: sum(parts.length), cached: sum(same < 0 ? parts.length : same) };
  }
}
