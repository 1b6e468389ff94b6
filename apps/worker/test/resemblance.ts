const SAMPLES_PER_MS = 8;
/** Longer than a syllable, so that no part of another word matches it; short enough to fit between two stalls. */
const WINDOW = 200 * SAMPLES_PER_MS;
/** Below this level a window is a pause, and proves nothing. */
const VOICED_RMS = 300;
/** Both sounds start at the answer, each by its own side's clock. */
const REACH = 2_000 * SAMPLES_PER_MS;
/** Every fourth sample is enough to find the position. */
const STRIDE = 4;

/** From the sound's first sample, like a turn of a transcript from the start of its recording. */
export interface Stretch {
  readonly start_ms: number;
  readonly end_ms: number;
}

export interface Resemblance {
  /** Normalized cross-correlation of a voiced window with the best match in the other sound: the median. */
  readonly correlation: number;
  /** The delay of the other sound: the median. */
  readonly lagMs: number;
}

/**
 * How well intervals of one sound are found in another. Each window is searched on its own: a late packet spoils only
 * the window that it falls into.
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

/** The starts of the windows that lie completely within the interval. */
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

/** 1 if the two differ only in loudness; 0 if they have nothing in common, or one of them is silent. */
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
