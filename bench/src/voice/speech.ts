import { SAMPLES_PER_MS } from './recording.ts';

/** Windows of 10 ms; a louder one (above -40 dB of full scale) is voiced. */
export const WINDOW_MS = 10;
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
  for (const [window, isVoiced] of voicedWindows(samples).entries()) {
    if (!isVoiced) continue;
    const startMs = window * WINDOW_MS;
    const last = turns.at(-1);
    if (last && startMs - last.endMs < TURN_GAP_MS) last.endMs = startMs + WINDOW_MS;
    else turns.push({ startMs, endMs: startMs + WINDOW_MS });
  }
  return turns;
}

/** Whether each window of the samples is voiced. */
export function voicedWindows(samples: Int16Array): readonly boolean[] {
  const step = WINDOW_MS * SAMPLES_PER_MS;
  return Array.from(
    { length: Math.floor(samples.length / step) },
    (_, window) => rms(samples.subarray(window * step, (window + 1) * step)) > VOICED_RMS,
  );
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
