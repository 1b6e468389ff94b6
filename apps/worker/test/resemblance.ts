const SAMPLES_PER_MS = 8;
/** Longer than a syllable, so that none of another word is like it; short enough to lie between two hitches. */
const WINDOW = 200 * SAMPLES_PER_MS;
/** Below this a window is a pause, and tells nothing. */
const VOICED_RMS = 300;
/** Both sounds begin at the answer, each by its own side's clock. */
const REACH = 2_000 * SAMPLES_PER_MS;
/** Every fourth sample is enough to find the place. */
const STRIDE = 4;

/** From the sound's first sample, as a turn of a transcript is from its recording's. */
export interface Stretch {
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface Resemblance {
  /** Normalised cross-correlation of a voiced window with the other sound where that is most like it: the median. */
  readonly correlation: number;
  /** How much later the other sound has it: the median. */
  readonly lagMs: number;
}

/**
 * How well stretches of one sound are found in another. Each window is looked for on its own: a packet that comes late
 * spoils the one that it falls into, and not all that follow.
 */
export function resemblance(sound: Int16Array, stretches: readonly Stretch[], other: Int16Array): Resemblance {
  const matches = stretches
    .flatMap((stretch) => windowsIn(stretch))
    .filter((at) => energyOf(sound, at) / WINDOW >= VOICED_RMS ** 2)
    .map((at) => bestMatch(sound, at, other));
  return {
    correlation: medianOf(matches.map(({ correlation }) => correlation)),
    lagMs: medianOf(matches.map(({ lag }) => lag)) / SAMPLES_PER_MS,
  };
}

/** Where the windows begin that lie within the stretch whole. */
function windowsIn({ start_ms, end_ms }: Stretch): readonly number[] {
  const start = Math.round(start_ms * SAMPLES_PER_MS);
  const length = Math.floor((end_ms * SAMPLES_PER_MS - start) / WINDOW);
  return Array.from({ length }, (_, nth) => start + nth * WINDOW);
}

function bestMatch(sound: Int16Array, at: number, other: Int16Array) {
  let best = { correlation: 0, to: at };
  const last = Math.min(other.length - WINDOW, at + REACH);
  for (let to = Math.max(0, at - REACH); to <= last; to += 1) {
    const correlation = correlationOf(sound, at, other, to, STRIDE);
    if (correlation > best.correlation) best = { correlation, to };
  }
  return { correlation: correlationOf(sound, at, other, best.to, 1), lag: best.to - at };
}

/** 1 if one is the other, louder or softer; 0 if they have nothing in common, or one of them is silent. */
function correlationOf(one: Int16Array, oneAt: number, other: Int16Array, otherAt: number, stride: number): number {
  let [product, oneEnergy, otherEnergy] = [0, 0, 0];
  for (let index = 0; index < WINDOW; index += stride) {
    const [a, b] = [one[oneAt + index] ?? 0, other[otherAt + index] ?? 0];
    product += a * b;
    oneEnergy += a * a;
    otherEnergy += b * b;
  }
  return product / Math.sqrt(Math.max(1, oneEnergy * otherEnergy));
}

function energyOf(samples: Int16Array, from: number): number {
  let energy = 0;
  for (const sample of samples.subarray(from, from + WINDOW)) energy += sample * sample;
  return energy;
}

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
