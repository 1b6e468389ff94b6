import { SoundCutter } from './sound-cutter.ts';

/** Posts the microphone as `CapturedSound`. Its output is silent. */
class CaptureProcessor extends AudioWorkletProcessor {
  readonly #cutter = new SoundCutter(sampleRate);

  process([input]: readonly (readonly Float32Array[])[]): boolean {
    const samples = input?.[0];
    // Without a channel, the microphone is gone or muted by the system.
    if (samples !== undefined) for (const sound of this.#cutter.push(samples)) this.port.postMessage(sound, []);
    return true;
  }
}

registerProcessor('capture', CaptureProcessor);
