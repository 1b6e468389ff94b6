import type { SpeechSynthesizer } from '@outdial/calls';
import { describe, expect, it } from 'vitest';
import { createSoundBank } from './sound-bank.ts';
import { estimateMs, RECORD_BEEP, renderTones, RINGING_TONE, speech, SPECIAL_INFORMATION_TONE } from './sounds.ts';

/** The energy at one frequency in the samples, as a share of the whole. */
function shareOf(hz: number, samples: Int16Array): number {
  let real = 0;
  let imaginary = 0;
  let total = 0;
  for (const [at, sample] of samples.entries()) {
    real += sample * Math.cos((2 * Math.PI * hz * at) / 8_000);
    imaginary += sample * Math.sin((2 * Math.PI * hz * at) / 8_000);
    total += sample * sample;
  }
  return (2 * (real * real + imaginary * imaginary)) / (samples.length * total);
}

const samplesOf = (sound: typeof RECORD_BEEP) =>
  sound.kind === 'tones' ? renderTones(sound.segments) : new Int16Array();

describe('tones', () => {
  it('the beep is half a second of 1000 Hz and hardly anything else', () => {
    const beep = samplesOf(RECORD_BEEP);
    expect(beep).toHaveLength(4_000);
    expect(shareOf(1_000, beep)).toBeGreaterThan(0.98);
  });

  it('the special information tone is three rising tones of 330 ms', () => {
    const tone = samplesOf(SPECIAL_INFORMATION_TONE);
    for (const [at, hz] of [950, 1_400, 1_800].entries()) {
      expect(shareOf(hz, tone.subarray(at * 2_640, (at + 1) * 2_640))).toBeGreaterThan(0.95);
    }
    expect(tone.subarray(3 * 2_640).every((sample) => sample === 0)).toBe(true);
  });

  it('the ringing tone has both of its frequencies in equal parts, and does not clip', () => {
    const tone = samplesOf(RINGING_TONE).subarray(0, 16_000);
    expect(shareOf(440, tone)).toBeCloseTo(0.5, 1);
    expect(shareOf(480, tone)).toBeCloseTo(0.5, 1);
    expect(Math.max(...tone)).toBeLessThanOrEqual(8_192);
  });

  it('begin and end without a click', () => {
    const beep = samplesOf(RECORD_BEEP);
    const steps = beep.map((sample, at) => Math.abs(sample - (beep[at - 1] ?? 0)));
    expect(Math.max(...steps.subarray(0, 8), ...steps.subarray(-8))).toBeLessThan(Math.max(...steps) / 3);
  });

  it('take their time even where they are not played', () => {
    expect(estimateMs(RECORD_BEEP)).toBe(500);
    expect(estimateMs(RINGING_TONE)).toBe(6_000);
    expect(estimateMs(speech('Hello?'))).toBeGreaterThan(200);
  });
});

describe('the sound bank', () => {
  it('renders every sound once, in whole frames', async () => {
    const spoken: string[] = [];
    const synthesizer: SpeechSynthesizer = {
      synthesize: ({ text, voice }) => {
        spoken.push(`${voice}: ${text}`);
        return Promise.resolve(new Int16Array(1_001).fill(5));
      },
    };
    const bank = createSoundBank({ speech: synthesizer, voice: 'awb' });
    const hello = speech('Hello?');
    const [first, second] = await Promise.all([bank.prepare([hello, RECORD_BEEP]), bank.prepare([hello])]);
    expect(spoken).toEqual(['awb: Hello?']);
    expect(first.get(hello)).toBe(second.get(hello));
    expect(first.get(hello)).toHaveLength(7 * 160);
    expect(
      first
        .get(hello)
        ?.subarray(1_001)
        .every((sample) => sample === 0),
    ).toBe(true);
    expect(first.get(RECORD_BEEP)).toHaveLength(4_000);
  });
});
