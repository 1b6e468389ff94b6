import { SAMPLE_RATE_HZ } from '@outdial/calls';

/** About -4 dB of full scale: loud on a telephone, and far from clipping when G.711 rounds up. */
const PEAK = 20_000;
/** A lower peak means no speech: the engine's silence is zeros and rounding errors. */
const SILENT_PEAK = 50;
/** Sound starts where it first exceeds this share of its peak (-36 dB). */
const EDGE_SHARE = 1 / 64;
const KEPT_BEFORE = SAMPLE_RATE_HZ * 0.01;
const KEPT_AFTER = SAMPLE_RATE_HZ * 0.06;

/**
 * Conditions speech for playback: removes the engine's ~200 ms of leading silence, which would make the agent seem slow,
 * and normalizes the peak for all voices. Empty if there is no speech.
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
