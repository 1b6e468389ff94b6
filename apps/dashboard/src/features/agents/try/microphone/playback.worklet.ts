import { decodeUlaw, loudness } from '../../../../shared/sound/ulaw.ts';
import { JitterBuffer } from './jitter-buffer.ts';

/** Blocks of 16 ms whose loudness is posted together. */
const BLOCKS_A_LEVEL = 6;

/** Receives µ-law to play, or `clear`. Posts how loud it plays, from 0 to 100. */
class PlaybackProcessor extends AudioWorkletProcessor {
  readonly #buffer = new JitterBuffer();
  #blocks = 0;
  #loudest = 0;

  constructor() {
    super();
    this.port.addEventListener('message', ({ data }) => {
      if (data instanceof Uint8Array) this.#buffer.push(decodeUlaw(data));
      else this.#buffer.clear();
    });
    this.port.start();
  }

  process(_inputs: unknown, [output]: readonly (readonly Float32Array[])[]): boolean {
    const samples = output?.[0];
    if (samples === undefined) return true;
    this.#buffer.pull(samples);
    this.#loudest = Math.max(this.#loudest, loudness(samples));
    this.#blocks += 1;
    if (this.#blocks < BLOCKS_A_LEVEL) return true;
    this.port.postMessage(this.#loudest, []);
    this.#blocks = 0;
    this.#loudest = 0;
    return true;
  }
}

registerProcessor('playback', PlaybackProcessor);
