import { SAMPLES_PER_MS } from './recording.ts';

/** Windows of 10 ms; a louder one (above -40 dB of full scale) is voiced. */
const WINDOW_MS = 10;
const VOICED_RMS = 330;
/** A shorter silence is a pause within a turn. */
const TURN_GAP_MS = 600;

/** Milliseconds from the beginning of the recording. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
}

/** The turns of one side, by energy alone, without the product's own code, which is measured elsewhere. */
export function turnsIn(samples: Int16Array): readonly Stretch[] {
  const turns: { startMs: number; endMs: number }[] = [];
  const step = WINDOW_MS * SAMPLES_PER_MS;
  for (let at = 0; at + step <= samples.length; at += step) {
    if (rms(samples.subarray(at, at + step)) <= VOICED_RMS) continue;
    const startMs = at / SAMPLES_PER_MS;
    const last = turns.at(-1);
    if (last && startMs - last.endMs < TURN_GAP_MS) last.endMs = startMs + WINDOW_MS;
    else turns.push({ startMs, endMs: startMs + WINDOW_MS });
  }
  return turns;
}

/** When the sound at `fromMs` ends: the start of a long enough silence. */
export function fallsSilentMs(samples: Int16Array, fromMs: number, silentMs = 300): number {
  let lastMs = fromMs;
  for (let at = fromMs * SAMPLES_PER_MS; at < samples.length; at += 1) {
    if (samples[at] !== 0) lastMs = at / SAMPLES_PER_MS;
    else if (at / SAMPLES_PER_MS - lastMs >= silentMs) break;
  }
  return lastMs;
}

function rms(samples: Int16Array): number {
  let energy = 0;
  for (const sample of samples) energy += sample * sample;
  return Math.sqrt(energy / samples.length);
}
