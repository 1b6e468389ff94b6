import { FRAME_BYTES } from './sound-format.ts';
import { encodeUlaw, loudness } from '../../../../shared/sound/ulaw.ts';
import { Downsampler } from './downsampler.ts';

/** 40 ms. Shorter messages cost the service more than they save in delay. */
const MESSAGE_BYTES = 2 * FRAME_BYTES;

/** What the microphone's worklet posts. */
export interface CapturedSound {
  readonly ulaw: Uint8Array<ArrayBuffer>;
  /** From 0 to 100. */
  readonly level: number;
}

/** Cuts the sound of a microphone into messages of 40 ms. */
export class SoundCutter {
  readonly #downsampler: Downsampler;
  readonly #gathered = new Float32Array(MESSAGE_BYTES);
  #length = 0;

  constructor(rate: number) {
    this.#downsampler = new Downsampler(rate);
  }

  push(input: Float32Array): readonly CapturedSound[] {
    const cut: CapturedSound[] = [];
    for (const sample of this.#downsampler.push(input)) {
      this.#gathered[this.#length] = sample;
      this.#length += 1;
      if (this.#length < MESSAGE_BYTES) continue;
      this.#length = 0;
      cut.push({ ulaw: encodeUlaw(this.#gathered), level: loudness(this.#gathered) });
    }
    return cut;
  }
}
