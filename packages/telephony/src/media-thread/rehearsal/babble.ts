import { SAMPLE_RATE_HZ } from '@outdial/calls';

const PITCH_HZ = 140;
const HARMONICS = 12;
const SYLLABLE_HZ = 4;
const PEAK = 9_000;

/** Audio with the pitch, harmonics and syllables of a voice, so that speech detection runs all of its code. */
export function babble(ms: number): Int16Array {
  return Int16Array.from({ length: (ms * SAMPLE_RATE_HZ) / 1_000 }, (_, at) => {
    const radians = (2 * Math.PI * PITCH_HZ * at) / SAMPLE_RATE_HZ;
    const loudness = Math.max(0, Math.sin((2 * Math.PI * SYLLABLE_HZ * at) / SAMPLE_RATE_HZ));
    let sum = 0;
    for (let nth = 1; nth <= HARMONICS; nth += 1) sum += Math.sin(nth * radians) / nth;
    return Math.round((PEAK * loudness * sum) / 2);
  });
}
