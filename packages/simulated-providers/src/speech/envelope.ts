/** Loudness in steps of 20 ms: the mean magnitude of 160 samples. */
export type Envelope = Float64Array;

export const STEP_MS = 20;
const STEP_SAMPLES = 160;
/** Below this a step is silence: above the noise of a line, below a soft voice. */
export const SPEECH_LEVEL = 250;

export function envelopeOf(samples: Int16Array): Envelope {
  const envelope = new Float64Array(Math.floor(samples.length / STEP_SAMPLES));
  for (let step = 0; step < envelope.length; step += 1) envelope[step] = levelOf(samples, step * STEP_SAMPLES);
  return envelope;
}

/** The level of the 20 ms that begin at `start`. */
export function levelOf(samples: Int16Array, start: number): number {
  let sum = 0;
  for (let index = start; index < start + STEP_SAMPLES; index += 1) sum += Math.abs(samples[index] ?? 0);
  return sum / STEP_SAMPLES;
}

/** Without the silence around it. */
export function trimmed(envelope: Envelope): Envelope {
  const first = envelope.findIndex((level) => level > SPEECH_LEVEL);
  if (first < 0) return new Float64Array();
  return envelope.subarray(first, envelope.findLastIndex((level) => level > SPEECH_LEVEL) + 1);
}

/** Pearson correlation of two envelopes of one length: 1 for the same shape at any loudness. */
export function correlation(left: Envelope, right: Envelope): number {
  const length = Math.min(left.length, right.length);
  if (length === 0) return 0;
  const leftMean = mean(left, length);
  const rightMean = mean(right, length);
  let product = 0;
  let leftSquares = 0;
  let rightSquares = 0;
  for (let step = 0; step < length; step += 1) {
    const a = (left[step] ?? 0) - leftMean;
    const b = (right[step] ?? 0) - rightMean;
    product += a * b;
    leftSquares += a * a;
    rightSquares += b * b;
  }
  return leftSquares === 0 || rightSquares === 0 ? 0 : product / Math.sqrt(leftSquares * rightSquares);
}

function mean(envelope: Envelope, length: number): number {
  let sum = 0;
  for (let step = 0; step < length; step += 1) sum += envelope[step] ?? 0;
  return sum / length;
}
