import type { Asked } from '../../mind.ts';
import { Asks } from '../asks.ts';
import { unheardNote } from '../notes.ts';
import { appended } from './context.ts';

export interface PromptsInput {
  readonly send: (event: object) => void;
  /** The model was asked something. */
  readonly asked: () => void;
}

export interface Request {
  /** The last one asks, after those that it refers to. */
  readonly notes: readonly string[];
  readonly isWhole: boolean;
}

/** What the model reads: requests, one after the other, and notes that it keeps in mind. */
export class Prompts {
  readonly asks: Asks<Request>;
  readonly #input: PromptsInput;
  #asked = 0;
  #isWhole = false;
  /** What the model said, and no one heard. */
  #unheard = '';

  constructor(input: PromptsInput) {
    this.#input = input;
    this.asks = new Asks((request) => this.#ask(request));
  }

  ask(notes: readonly string[], { isWhole = false }: Asked = {}): void {
    this.asks.ask({ notes, isWhole });
  }

  /** Whether the callee hears the newest to its end. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** The model keeps it in mind. */
  note(content: string): void {
    this.#input.send(appended('silent', content));
  }

  /** The model said this to a closed gate. */
  addUnheard(words: string): void {
    this.#unheard += words;
  }

  noteUnheard(): void {
    if (this.#unheard === '') return;
    this.note(unheardNote(this.#unheard));
    this.#unheard = '';
  }

  /** Whether this is the newest request, and its answer is awaited. */
  isAwaited(eventId: string): boolean {
    return eventId === this.#askId && this.asks.isAwaited;
  }

  #ask({ notes, isWhole }: Request): void {
    this.#asked += 1;
    this.#isWhole = isWhole;
    for (const [index, content] of notes.entries()) {
      if (index < notes.length - 1) this.note(content);
      else this.#input.send(appended('asked', content, this.#askId));
    }
    this.#input.asked();
  }

  get #askId(): string {
    return `ask_${this.#asked}`;
  }
}
