import type { ProviderFailure } from '../mind.ts';
import { Sentences } from './text/sentences.ts';
import { spokenText } from './text/spoken-text.ts';

/** What a model writes for having nothing to say. */
const NOTHING = /^\[(?:silence|no response|pause)\]$/i;

/** One answer while it is made: the text of a model on its way to the voice. */
export class Answer {
  readonly item: string;
  /** A callee's turn asked for it; one that follows before any sound takes its place. */
  readonly toTurn: boolean;
  readonly #sentences = new Sentences();
  readonly #speak: (text: string) => void;
  outcome: 'completed' | 'incomplete' = 'completed';
  /** The models failed after what was written so far. */
  failure: ProviderFailure | null = null;
  #spoke = false;
  #calledTool = false;
  soundBegan = false;

  constructor(input: { readonly item: string; readonly toTurn: boolean; readonly speak: (text: string) => void }) {
    this.item = input.item;
    this.toTurn = input.toTurn;
    this.#speak = input.speak;
  }

  /** Something was given to the voice. */
  get spoke(): boolean {
    return this.#spoke;
  }

  get empty(): boolean {
    return !this.#spoke && !this.#calledTool;
  }

  write(text: string): void {
    for (const part of this.#sentences.add(text)) this.#say(spokenText(part));
  }

  calledTool(): void {
    this.#calledTool = true;
  }

  /** The text is complete. */
  end(): void {
    this.#say(spokenText(this.#sentences.rest()));
  }

  /** A text that is spoken as it is written. */
  sayExactly(text: string): void {
    this.#say(text.trim());
  }

  #say(text: string): void {
    if (text === '' || NOTHING.test(text) || !/[\p{L}\p{N}]/u.test(text)) return;
    this.#spoke = true;
    this.#speak(`${text} `);
  }
}
