import { SAMPLE_RATE_HZ } from '@outdial/calls';

/** About -4 dB of full scale: loud on a telephone, and far from clipping when G.711 rounds up. */
const PEAK = 20_000;
/** Below this peak there is no speech in the sound: the engine's silence is all zeros and rounding. */
const SILENT_PEAK = 50;
/** Sound begins where it first rises above this share of its peak (-36 dB). */
const EDGE_SHARE = 1 / 64;
const KEPT_BEFORE = SAMPLE_RATE_HZ * 0.01;
const KEPT_AFTER = SAMPLE_RATE_HZ * 0.06;

/**
 * Speech as the agent plays it: the engine's ~200 ms of leading silence cut away, since it would be heard as a slow
 * agent, and its peak brought to one level, whatever the voice. Empty if there is no speech in it.
 */
export function conditionSpeech(samples: Int16Array): Int16Array<ArrayBuffer> {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  if (peak < SILENT_PEAK) return new Int16Array(0);
  const edge = peak * EDGE_SHARE;
  const first = samples.findIndex((sample) => Math.abs(sample) > edge);
  const last = samples.findLastIndex((sample) => Math.abs(sample) > edge);
  const kept = samples.subarray(Math.max(0, first - KEPT_BEFORE), Math.min(samples.length, last + 1 + KEPT_AFTER));
  return kept.map((sample) => Math.round((sample * PEAK) / peak));
}
