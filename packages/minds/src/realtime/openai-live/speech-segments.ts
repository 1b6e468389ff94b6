import { BYTES_PER_MS, samplesOfUlaw } from '../../sound/ulaw.ts';

/** Quieter than this is the silence between two answers: −42 dB. */
const LOUDEST_SILENCE = 256;

/** What a piece of the stream is. */
export type SpeechPiece =
  /** Nothing is said. */
  | { readonly kind: 'silence' }
  /** `sound`: with the pause before it, if the same answer goes on. */
  | { readonly kind: 'speech'; readonly sound: Uint8Array; readonly isFirst: boolean }
  /** So long was nothing said that the answer is over. */
  | { readonly kind: 'over' };

/**
 * Finds the answers in the sound of a model that speaks and listens at the same time: its sound comes as it is to be played,
 * with the silence between two answers, and nothing marks their ends.
 */
export class SpeechSegments {
  #pause: Uint8Array[] = [];
  #pauseMs = 0;
  #isOpen = false;

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** `pauseMs`: a longer one ends an answer. */
  push(ulaw: Uint8Array, pauseMs: number): SpeechPiece {
    if (isLoud(ulaw)) {
      const sound = this.#pause.length === 0 ? ulaw : Buffer.concat([...this.#pause, ulaw]);
      const isFirst = !this.#isOpen;
      this.end();
      this.#isOpen = true;
      return { kind: 'speech', sound, isFirst };
    }
    if (!this.#isOpen) return { kind: 'silence' };
    this.#pause.push(ulaw);
    this.#pauseMs += ulaw.length / BYTES_PER_MS;
    if (this.#pauseMs < pauseMs) return { kind: 'silence' };
    this.end();
    return { kind: 'over' };
  }

  /** What is said next is another answer. */
  end(): void {
    this.#isOpen = false;
    this.#pause = [];
    this.#pauseMs = 0;
  }
}

export function isLoud(ulaw: Uint8Array): boolean {
  return samplesOfUlaw(ulaw).some((sample) => Math.abs(sample) > LOUDEST_SILENCE);
}
