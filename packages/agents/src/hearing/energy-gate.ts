import { FRAME_MS } from '@outdial/calls';

/** Anything quieter is not speech: about -49 dB of full scale, below what a telephone's microphone delivers. */
const QUIETEST_SPEECH = 120;
/** Speech is at least this far above the noise (7.6 dB). */
const ABOVE_NOISE = 2.4;
/** Speech has a pause within this time, so that its quietest moment is the noise. */
const NOISE_WINDOW_FRAMES = 3_000 / FRAME_MS;

/** Opens for frames that are louder than the background noise, which it learns from the quietest moments. */
export interface EnergyGate {
  /** `level`: root mean square of one frame. */
  opens(level: number): boolean;
}

export function createEnergyGate(): EnergyGate {
  // Averaged over three frames: a single silent frame, as a lost packet causes, is not the noise.
  const smoothed = new Float64Array(NOISE_WINDOW_FRAMES).fill(Number.POSITIVE_INFINITY);
  let at = 0;
  let noise = Number.POSITIVE_INFINITY;
  let previous: number | undefined;
  let beforePrevious: number | undefined;

  function learn(one: number): void {
    const forgotten = smoothed[at];
    smoothed[at] = one;
    at = (at + 1) % smoothed.length;
    // Searching for the minimum is needed only when the previous minimum leaves the window.
    if (one <= noise) noise = one;
    else if (forgotten === noise) noise = leastOf(smoothed);
  }

  return {
    opens(level) {
      // A call that starts with noise has no preceding silence to compare it with.
      previous ??= level;
      beforePrevious ??= level;
      learn((level + previous + beforePrevious) / 3);
      beforePrevious = previous;
      previous = level;
      return level > Math.max(QUIETEST_SPEECH, noise * ABOVE_NOISE);
    },
  };
}

function leastOf(numbers: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 0; index < numbers.length; index += 1) least = Math.min(least, numbers[index] ?? least);
  return least;
}
