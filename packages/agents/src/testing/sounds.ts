import { SAMPLE_RATE_HZ } from '@outdial/calls';

/** Sounds for tests, and measures of sounds: 8 kHz, 16-bit. */

export const silence = (ms: number): Int16Array => new Int16Array(sampleCount(ms));

export function tone(hz: number, ms: number, amplitude = 9_000, rateHz = SAMPLE_RATE_HZ): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1_000 }, (_, index) =>
    Math.round(amplitude * Math.sin((2 * Math.PI * hz * index) / rateHz)),
  );
}

/** White noise, identical in every run. */
export function whiteNoise(ms: number, rms: number, seed = 1): Int16Array {
  const random = seededRandom(seed);
  // A uniform distribution over ±a has an rms of a / √3.
  return Int16Array.from({ length: sampleCount(ms) }, () => Math.round((random() * 2 - 1) * rms * Math.sqrt(3)));
}

/** Noise that falls by 6 dB per octave, like wind or an engine. */
export function brownNoise(ms: number, rms: number, seed = 1): Int16Array {
  const random = seededRandom(seed);
  let level = 0;
  const walk = Float64Array.from({ length: sampleCount(ms) }, () => (level = level * 0.99 + random() * 2 - 1));
  const gain = rms / rmsOf(walk);
  return Int16Array.from(walk, (value) => clip(value * gain));
}

export function mix(...sounds: readonly Int16Array[]): Int16Array {
  const length = Math.max(...sounds.map((sound) => sound.length));
  return Int16Array.from({ length }, (_, index) => clip(sounds.reduce((sum, sound) => sum + (sound[index] ?? 0), 0)));
}

export function concat(...sounds: readonly Int16Array[]): Int16Array {
  const whole = new Int16Array(sounds.reduce((sum, sound) => sum + sound.length, 0));
  let at = 0;
  for (const sound of sounds) {
    whole.set(sound, at);
    at += sound.length;
  }
  return whole;
}

export const scale = (sound: Int16Array, gain: number): Int16Array => sound.map((sample) => clip(sample * gain));

export const rmsOf = (sound: Int16Array | Float64Array): number => {
  let energy = 0;
  for (const sample of sound) energy += sample * sample;
  return Math.sqrt(energy / Math.max(1, sound.length));
};

export const peakOf = (sound: Int16Array): number =>
  sound.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);

/** Energy between two frequencies, by a plain Fourier sum every 50 Hz: slow, and independent of the product's code. */
export function bandEnergy(sound: Int16Array, fromHz: number, toHz: number, rateHz = SAMPLE_RATE_HZ): number {
  let energy = 0;
  for (let hz = fromHz; hz < toHz; hz += 50) {
    const step = (2 * Math.PI * hz) / rateHz;
    let [real, imaginary] = [0, 0];
    for (const [index, sample] of sound.entries()) {
      real += sample * Math.cos(step * index);
      imaginary += sample * Math.sin(step * index);
    }
    energy += real * real + imaginary * imaginary;
  }
  return energy;
}

const sampleCount = (ms: number) => (ms * SAMPLE_RATE_HZ) / 1_000;
const clip = (value: number) => Math.max(-32_768, Math.min(32_767, Math.round(value)));

/** Mulberry32. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
