import type { MindEvent } from '../../mind.ts';
import { LiveAnswer } from './live-answer.ts';
import { SpeechSegments } from './speech-segments.ts';

export interface LiveAnswersInput {
  /** Part of the names of items. */
  readonly name: string;
  readonly emit: (event: MindEvent) => void;
  /** An answer begins. */
  readonly begins: () => Pick<LiveAnswer, 'isAsked' | 'isWhole' | 'isHeld' | 'isDiscarded'>;
  /** Something may still come of an answer whose sound is over. */
  readonly isAwaited: () => boolean;
  readonly over: (answer: LiveAnswer) => void;
}

/** The answers of a model whose sound is one stream: where each begins, the words that belong to it, and where it ends. */
export class LiveAnswers {
  readonly #input: LiveAnswersInput;
  readonly #segments = new SpeechSegments();
  #current: LiveAnswer | null = null;
  #begun = 0;
  /** Words whose sound is not here. */
  #words = '';

  constructor(input: LiveAnswersInput) {
    this.#input = input;
  }

  get current(): LiveAnswer | null {
    return this.#current;
  }

  /** The model's sound, with its silence. False: nothing was said. */
  sound(ulaw: Uint8Array): boolean {
    const piece = this.#segments.push(ulaw, this.#current?.pauseMs ?? 0);
    if (piece.kind === 'over') this.soundOver();
    if (piece.kind !== 'speech') return false;
    const answer = this.begin();
    answer.saidSomething = true;
    answer.sound(piece.sound);
    this.said('');
    return true;
  }

  /** Words may come just before their sound. */
  said(text: string): void {
    this.#words += text;
    if (this.#words === '' || this.#current === null || !this.#segments.isOpen) return;
    this.#current.words += this.#words;
    this.#current.emit({ kind: 'words', item: this.#current.name, text: this.#words });
    this.#words = '';
  }

  /** The answer that something belongs to. */
  begin(): LiveAnswer {
    if (this.#current !== null) return this.#current;
    const { name, begins, emit } = this.#input;
    this.#begun += 1;
    this.#current = new LiveAnswer(`${name}_${this.#begun}`, { ...begins(), emit });
    return this.#current;
  }

  /** What is said next is another answer. */
  soundOver(): void {
    const answer = this.#current;
    this.#segments.end();
    if (answer === null) return;
    answer.endSound();
    if (answer.saidSomething && !answer.isDiscarded) answer.emit({ kind: 'item_over', item: answer.name });
    this.settle();
  }

  /** The answer is over, unless its sound still comes or something is awaited. */
  settle(): void {
    const answer = this.#current;
    if (answer === null || this.#segments.isOpen || this.#input.isAwaited()) return;
    this.#current = null;
    this.#input.over(answer);
  }
}
