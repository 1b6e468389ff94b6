import { FRAME_MS, FRAME_SAMPLES, SAMPLE_RATE_HZ, type Frame } from '@outdial/calls';

const LOWEST_HZ = 350;
const HIGHEST_HZ = 2_400;
const GRID_HZ = 12.5;
/** Half the width of the search around the estimate; noise 15 dB below the tone shifts the estimate by up to 170 Hz. */
const SEARCH_HZ = 200;
/** The share of energy that one frequency must have. Speech stays below 0.8, two tones at 0.5. */
const TONAL_SHARE = 0.85;
/** What a grid step next to a tone still has: 1.4 dB less with a Hann window. */
const BESIDE_TONAL_SHARE = 0.7 * TONAL_SHARE;
const QUIETEST_RMS = 200;
/** Share of the energy that two samples do not predict of the one between. A tone with noise 15 dB below it: 0.2. */
const UNPREDICTED_SHARE = 0.5;
/**
 * The same for samples 3 ms apart, where the harmonics of a voice are out of phase. It rejects no tone of TONAL_SHARE that
 * the grid would accept, and saves the search for four of five frames of speech.
 */
const FAR_SAMPLES = 24;
const UNPREDICTED_FAR_SHARE = 0.9;
const DRIFT_HZ = 50;
const SHORTEST_FRAMES = 120 / FRAME_MS;
const LONGEST_FRAMES = 3_000 / FRAME_MS;

const WINDOW_SAMPLES = 2 * FRAME_SAMPLES;
const HANN = Float64Array.from(
  { length: WINDOW_SAMPLES },
  (_, index) => 0.5 - 0.5 * Math.cos((2 * Math.PI * index) / (WINDOW_SAMPLES - 1)),
);
/** Mean of the squared window: the share of power that remains after windowing. */
const HANN_POWER = 0.375;

export interface BeepDetector {
  /** Takes one frame. Returns the length of a beep once it has ended. */
  hear(frame: Frame): { readonly beepMs: number } | undefined;
  /** A tone has lasted for two windows, so the sound is not a voice. */
  inTone(): boolean;
  /** The current tone is still short enough for a beep. */
  mayBecomeBeep(): boolean;
}

/**
 * Detects the beep of an answering machine: one steady tone of 120 ms to 3 s. It analyzes 40 ms of sound every 20 ms with
 * Goertzel's algorithm on a 12.5 Hz grid. DTMF and ringback are two tones and are not beeps.
 */
export function createBeepDetector(): BeepDetector {
  const samples = new Float64Array(WINDOW_SAMPLES);
  const windowed = new Float64Array(WINDOW_SAMPLES);
  let runFrames = 0;
  let runHz = 0;

  function toneHz(): number | undefined {
    // The cheap checks first: they rule out most frames of speech and silence.
    if (unpredictedShare(samples, FAR_SAMPLES) > UNPREDICTED_FAR_SHARE) return undefined;
    if (unpredictedShare(samples, 1) > UNPREDICTED_SHARE) return undefined;
    let energy = 0;
    for (let index = 0; index < WINDOW_SAMPLES; index += 1) {
      const value = (samples[index] ?? 0) * (HANN[index] ?? 0);
      windowed[index] = value;
      energy += value * value;
    }
    if (energy < QUIETEST_RMS ** 2 * WINDOW_SAMPLES * HANN_POWER) return undefined;
    return strongestHz(windowed, energy, (Math.acos(toneCosine(samples)) * SAMPLE_RATE_HZ) / (2 * Math.PI));
  }

  return {
    hear(frame) {
      samples.copyWithin(0, FRAME_SAMPLES);
      samples.set(frame, FRAME_SAMPLES);
      const hz = toneHz();
      if (hz !== undefined && runFrames > 0 && Math.abs(hz - runHz) <= DRIFT_HZ) {
        runFrames += 1;
        return undefined;
      }
      const ended = runFrames;
      runFrames = hz === undefined ? 0 : 1;
      runHz = hz ?? 0;
      return ended >= SHORTEST_FRAMES && ended <= LONGEST_FRAMES ? { beepMs: ended * FRAME_MS } : undefined;
    },
    inTone: () => runFrames >= 2,
    mayBecomeBeep: () => runFrames >= 2 && runFrames <= LONGEST_FRAMES,
  };
}

/**
 * How badly the samples fit one tone, for which x[n+d] + x[n-d] = 2 cos(dω) x[n] at every distance d: the share of energy
 * that the best cosine leaves unexplained. It costs a hundredth of a full grid search.
 */
function unpredictedShare(samples: Float64Array, distance: number): number {
  let energy = 0;
  let cross = 0;
  let around = 0;
  for (let index = distance; index < samples.length - distance; index += 1) {
    const sample = samples[index] ?? 0;
    const outer = (samples[index - distance] ?? 0) + (samples[index + distance] ?? 0);
    energy += sample * sample;
    cross += sample * outer;
    around += outer * outer;
  }
  return energy === 0 ? Number.POSITIVE_INFINITY : (around - (cross * cross) / energy) / energy;
}

/** The cosine, at a distance of one sample, of the tone that fits best. The samples have energy. */
function toneCosine(samples: Float64Array): number {
  let energy = 0;
  let cross = 0;
  for (let index = 1; index < samples.length - 1; index += 1) {
    const sample = samples[index] ?? 0;
    energy += sample * sample;
    cross += sample * ((samples[index - 1] ?? 0) + (samples[index + 1] ?? 0));
  }
  return Math.max(-1, Math.min(1, cross / (2 * energy)));
}

function strongestHz(windowed: Float64Array, energy: number, estimate: number): number | undefined {
  // A pure tone of amplitude A gives |X|² = (A/2 · Σw)² and an energy of A²/2 · Σw²: their ratio is N/3 with a Hann window.
  const whole = (energy * windowed.length) / 3;
  const from = Math.max(LOWEST_HZ, GRID_HZ * Math.round((estimate - SEARCH_HZ) / GRID_HZ));
  const to = Math.min(HIGHEST_HZ, estimate + SEARCH_HZ);
  // Every other frequency first: that rules out most speech with half of the work.
  const near = strongestOf(windowed, from, to, 2 * GRID_HZ);
  if (near.power < BESIDE_TONAL_SHARE * whole) return undefined;
  const strongest = strongestOf(windowed, Math.max(from, near.hz - GRID_HZ), Math.min(to, near.hz + GRID_HZ), GRID_HZ);
  return strongest.power > TONAL_SHARE * whole ? strongest.hz : undefined;
}

function strongestOf(windowed: Float64Array, from: number, to: number, stepHz: number) {
  let strongestHz = from;
  let strongestPower = 0;
  for (let hz = from; hz <= to; hz += stepHz) {
    const power = goertzelPower(windowed, hz);
    if (power <= strongestPower) continue;
    strongestHz = hz;
    strongestPower = power;
  }
  return { hz: strongestHz, power: strongestPower };
}

function goertzelPower(samples: Float64Array, hz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE_HZ);
  let last = 0;
  let beforeLast = 0;
  // By index: an iterator would allocate an object per sample, and garbage collection would interrupt the audio.
  for (let index = 0; index < samples.length; index += 1) {
    // In this order the processor waits for two operations of the previous step, not for three.
    const next = (samples[index] ?? 0) - beforeLast + coefficient * last;
    beforeLast = last;
    last = next;
  }
  return last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
}
