import { spawnSync } from 'node:child_process';
import { SAMPLE_RATE_HZ } from '@outdial/calls';
import { parseWav } from '../speech/wav.ts';
import { USUAL_RMS } from './audio-conditions.ts';
import { rmsOf, scale } from './sounds.ts';

/** Voices of eSpeak NG, a formant synthesizer: independent of the product's own voices. */
export const INDEPENDENT_VOICES = ['en-us', 'en-gb+f3', 'en-us+m7', 'en-gb-scotland+f2'] as const;
export type IndependentVoice = (typeof INDEPENDENT_VOICES)[number];

const LOUD_FRAME_RMS = 300;
const FRAME = 160;
/** Half-width of the low-pass, in source samples. */
const REACH = 24;
const CUTOFF_HZ = 3_500;

/** Speaks a text with an independent voice: 8 kHz, at the usual level. Needs `espeak-ng`. */
export function speakWithEspeak(text: string, voice: IndependentVoice): Int16Array {
  const { stdout, status, stderr } = spawnSync('espeak-ng', ['-v', voice, '-s', '150', '--stdout', text], {
    maxBuffer: 32 * 1_024 * 1_024,
  });
  if (status !== 0) throw new Error(`espeak-ng failed: ${stderr?.toString() ?? 'it is not installed'}`);
  const { samples, rateHz } = parseWav(stdout);
  return toUsualLevel(trimmed(toRate(samples, rateHz)));
}

/** Resamples from any rate above 8 kHz, with a windowed sinc. */
function toRate(samples: Int16Array, rateHz: number): Int16Array {
  const step = rateHz / SAMPLE_RATE_HZ;
  const cutoff = (2 * CUTOFF_HZ) / rateHz;
  return Int16Array.from({ length: Math.floor(samples.length / step) }, (_, index) => {
    const centre = index * step;
    let sum = 0;
    for (let at = Math.ceil(centre - REACH); at <= centre + REACH; at += 1) {
      const x = at - centre;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * cutoff * x) / (Math.PI * cutoff * x);
      sum += (samples[at] ?? 0) * cutoff * sinc * (0.5 + 0.5 * Math.cos((Math.PI * x) / (REACH + 1)));
    }
    return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  });
}

/** Removes surrounding silence, so that tests know the start and the end. */
function trimmed(samples: Int16Array): Int16Array {
  const isLoud = (at: number) => rmsOf(samples.subarray(at, at + FRAME)) > LOUD_FRAME_RMS;
  let [from, to] = [0, samples.length];
  while (from < to && !isLoud(from)) from += FRAME;
  while (to > from && !isLoud(to - FRAME)) to -= FRAME;
  return samples.slice(from, to);
}

function toUsualLevel(samples: Int16Array): Int16Array {
  const loud = samples.filter(
    (_, at) => rmsOf(samples.subarray(at - (at % FRAME), at - (at % FRAME) + FRAME)) > LOUD_FRAME_RMS,
  );
  return scale(samples, USUAL_RMS / rmsOf(loud));
}
