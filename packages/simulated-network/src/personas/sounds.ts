import { SAMPLE_RATE_HZ } from '@outdial/calls';

/** One segment of a signal tone; without frequencies it is a pause. */
export interface ToneSegment {
  readonly frequenciesHz: readonly number[];
  readonly ms: number;
}

/** What a callee can play. */
export type Sound =
  | { readonly kind: 'speech'; readonly text: string }
  | { readonly kind: 'tones'; readonly segments: readonly ToneSegment[] };

export const speech = (text: string): Sound => ({ kind: 'speech', text });

/** The special information tone before "this number is not in service" (ITU-T E.180 section 7.1). */
export const SPECIAL_INFORMATION_TONE: Sound = {
  kind: 'tones',
  segments: [
    { frequenciesHz: [950], ms: 330 },
    { frequenciesHz: [1400], ms: 330 },
    { frequenciesHz: [1800], ms: 330 },
    { frequenciesHz: [], ms: 1_000 },
  ],
};

/** What a voicemail plays before it records. */
export const RECORD_BEEP: Sound = { kind: 'tones', segments: [{ frequenciesHz: [1000], ms: 500 }] };

/** One period of the North American ringing tone: two seconds on, four off. */
export const RINGING_TONE: Sound = {
  kind: 'tones',
  segments: [
    { frequenciesHz: [440, 480], ms: 2_000 },
    { frequenciesHz: [], ms: 4_000 },
  ],
};

/** A quarter of full scale, shared among the frequencies: as loud as speech, far from clipping. */
const PEAK = 8_192;
/** Without a ramp the edges click, and a click has energy at all frequencies. */
const RAMP_SAMPLES = 40;

/** The segments one after the other: mono, 8 kHz. */
export function renderTones(segments: readonly ToneSegment[]): Int16Array {
  const lengths = segments.map(({ ms }) => Math.round((ms * SAMPLE_RATE_HZ) / 1_000));
  const samples = new Int16Array(lengths.reduce((sum, length) => sum + length, 0));
  let offset = 0;
  for (const [index, { frequenciesHz }] of segments.entries()) {
    const length = lengths[index] ?? 0;
    for (let at = 0; at < length; at += 1) {
      const ramp = Math.min(1, (at + 1) / RAMP_SAMPLES, (length - at) / RAMP_SAMPLES);
      let value = 0;
      for (const hz of frequenciesHz) value += Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ);
      samples[offset + at] = Math.round((PEAK * ramp * value) / Math.max(1, frequenciesHz.length));
    }
    offset += length;
  }
  return samples;
}

/** How long a sound takes where it is not played: tones exactly, speech at a slow pace. */
export function estimateMs(sound: Sound): number {
  const MS_PER_CHARACTER = 65;
  if (sound.kind === 'speech') return sound.text.length * MS_PER_CHARACTER;
  return sound.segments.reduce((sum, { ms }) => sum + ms, 0);
}
