import { FRAME_SAMPLES, SAMPLE_RATE_HZ, type Frame, type SpeechSynthesizer } from '@outdial/calls';
import { rootMeanSquare } from '../media/frames.ts';

/** A tone of whole frames. */
export function tone(hz: number, ms: number, peak = 8_000): Int16Array {
  const samples = new Int16Array(Math.ceil((ms * SAMPLE_RATE_HZ) / 1_000 / FRAME_SAMPLES) * FRAME_SAMPLES);
  return samples.map((_, at) => Math.round(peak * Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ)));
}

export const frameAt = (samples: Int16Array, index: number): Frame | undefined => {
  const frame = samples.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES);
  return frame.length === FRAME_SAMPLES ? frame : undefined;
};

/** Speaks every text as one steady tone of 300 Hz, 60 ms a character: callees have a pitch, and no words. */
export const toneSpeech: SpeechSynthesizer = {
  synthesize: ({ text }) => Promise.resolve(tone(300, text.length * 60)),
};

export const isLoud = (frame: Frame): boolean => rootMeanSquare(frame) > 500;

/**
 * Runs of loud frames in one side of a recording, in milliseconds from the first sample. Gaps below `joinMs` are
 * ignored.
 */
export function loudStretches(channel: Int16Array, joinMs = 100): { startMs: number; endMs: number }[] {
  const stretches: { startMs: number; endMs: number }[] = [];
  for (let index = 0; (index + 1) * FRAME_SAMPLES <= channel.length; index += 1) {
    if (!isLoud(channel.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES))) continue;
    const last = stretches.at(-1);
    if (last && index * 20 - last.endMs < joinMs) last.endMs = (index + 1) * 20;
    else stretches.push({ startMs: index * 20, endMs: (index + 1) * 20 });
  }
  return stretches;
}

/**
 * Statistics of the loud frames in one side of a recording: their number, and the median share of energy at that
 * frequency.
 */
export function toneShare(channel: Int16Array, hz: number): { readonly frames: number; readonly median: number } {
  const shares: number[] = [];
  for (let index = 0; (index + 1) * FRAME_SAMPLES <= channel.length; index += 1) {
    const frame = channel.subarray(index * FRAME_SAMPLES, (index + 1) * FRAME_SAMPLES);
    if (isLoud(frame)) shares.push(shareOf(frame, hz));
  }
  return { frames: shares.length, median: shares.toSorted((a, b) => a - b)[shares.length >> 1] ?? 0 };
}

function shareOf(frame: Int16Array, hz: number): number {
  let [cosine, sine, energy] = [0, 0, 0];
  for (const [at, sample] of frame.entries()) {
    const angle = (2 * Math.PI * hz * at) / SAMPLE_RATE_HZ;
    cosine += sample * Math.cos(angle);
    sine += sample * Math.sin(angle);
    energy += sample * sample;
  }
  return (2 * (cosine * cosine + sine * sine)) / (frame.length * energy);
}
