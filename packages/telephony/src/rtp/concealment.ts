import { FRAME_SAMPLES, type Frame } from '@outdial/calls';

/** Lost audio fades over 60 ms: longer repetition sounds like a machine. */
const FADE_SAMPLES = 3 * FRAME_SAMPLES;

/** Conceals lost audio with the last audio that arrived, fading out. */
export class Concealment {
  readonly #last: Frame = new Int16Array(FRAME_SAMPLES);
  #lostSamples = FADE_SAMPLES;

  /** A whole frame arrived. Copies it. */
  heard(frame: Frame): void {
    this.#last.set(frame);
    this.#lostSamples = 0;
  }

  /** Fills the samples of `frame` from `start` to before `end`. */
  fade(frame: Frame, start: number, end: number): void {
    for (let at = start; at < end; at += 1) {
      const gain = Math.max(0, 1 - this.#lostSamples / FADE_SAMPLES);
      frame[at] = Math.round((this.#last[at] ?? 0) * gain);
      this.#lostSamples += 1;
    }
  }

  /** Fills the samples of `frame` that are not `known` (1 for each known one). False if there are none. */
  fadeMissing(frame: Frame, known: Uint8Array): boolean {
    let from = known.indexOf(0);
    if (from < 0) return false;
    while (from >= 0) {
      const next = known.indexOf(1, from);
      const to = next < 0 ? frame.length : next;
      this.fade(frame, from, to);
      from = known.indexOf(0, to);
    }
    return true;
  }

  /** The fade has ended. */
  get isSilent(): boolean {
    return this.#lostSamples >= FADE_SAMPLES;
  }

  reset(): void {
    this.#lostSamples = FADE_SAMPLES;
  }
}
