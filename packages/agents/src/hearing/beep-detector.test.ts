import { FRAME_SAMPLES } from '@outdial/calls';
import { VOICES } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { createSpeechSynthesizer } from '../speech/synthesizer.ts';
import { brownNoise, concat, mix, scale, silence, tone, whiteNoise } from '../testing/sounds.ts';
import { createBeepDetector } from './beep-detector.ts';

const speech = createSpeechSynthesizer({ clock: systemClock });
afterAll(() => speech.close());

/** The beeps in a sound, with detection time and length. */
function beepsIn(sound: Int16Array): { readonly atMs: number; readonly beepMs: number }[] {
  const detector = createBeepDetector();
  const beeps = [];
  for (let at = 0; at + FRAME_SAMPLES <= sound.length; at += FRAME_SAMPLES) {
    const heard = detector.hear(sound.subarray(at, at + FRAME_SAMPLES));
    if (heard !== undefined) beeps.push({ atMs: at / 8 + 20, beepMs: heard.beepMs });
  }
  return beeps;
}

const FREQUENCIES_HZ = [440, 620, 850, 1_000, 1_400, 1_633, 2_000, 2_300];
const LENGTHS_MS = [180, 350, 500, 1_000, 2_000];

describe('a beep', () => {
  it.each(FREQUENCIES_HZ)('of %i Hz is found once at every length, level, offset and in noise', (hz) => {
    for (const [index, ms] of LENGTHS_MS.entries()) {
      for (const amplitude of [900, 3_000, 12_000]) {
        const offsetMs = 300 + 3 * index;
        const line = concat(silence(offsetMs), tone(hz, ms, amplitude), silence(300));
        const noisy = mix(line, whiteNoise(line.length / 8, amplitude / Math.SQRT2 / 10 ** (15 / 20)));
        for (const sound of [line, noisy]) {
          const beeps = beepsIn(sound);
          expect({ hz, ms, amplitude, count: beeps.length }).toEqual({ hz, ms, amplitude, count: 1 });
          expect(Math.abs((beeps[0]?.beepMs ?? 0) - ms)).toBeLessThanOrEqual(60);
          expect((beeps[0]?.atMs ?? Infinity) - (offsetMs + ms)).toBeLessThanOrEqual(60);
        }
      }
    }
  });

  it.each(VOICES)('is never found in speech, in voice %s', async (voice) => {
    const texts = [
      'You have reached the voicemail of Alex Morgan. I cannot come to the telephone right now.',
      'Oooh, who knew? You two move to the moon soon, do you?',
      'Please leave your name, your number and a short message after the tone. Thank you, and goodbye.',
      'Zero one two three four five six seven eight nine ten eleven twelve.',
    ];
    for (const text of texts) expect(beepsIn(await speech.synthesize({ text, voice }))).toEqual([]);
  });
});

describe('is not a beep:', () => {
  const cases: Record<string, Int16Array> = {
    'a key press: two tones': mix(tone(770, 200, 8_000), tone(1_336, 200, 8_000)),
    'a ringing tone: two tones': mix(tone(440, 2_000, 8_000), tone(480, 2_000, 8_000)),
    'a click of 60 ms': tone(1_000, 60),
    'a tone that does not end': tone(425, 5_000),
    'a tone above the band': tone(3_000, 500),
    'a tone below hearing level': tone(1_000, 500, 150),
    'white noise': whiteNoise(5_000, 3_000),
    'brown noise': brownNoise(5_000, 6_000),
    'a siren': concat(...Array.from({ length: 50 }, (_, index) => tone(600 + 120 * (index % 10), 20))),
  };
  it.each(Object.keys(cases))('%s', (name) => {
    expect(beepsIn(concat(silence(200), cases[name] ?? silence(0), silence(200)))).toEqual([]);
  });

  it('silence or a full-scale sound', () => {
    expect(beepsIn(silence(1_000))).toEqual([]);
    expect(beepsIn(scale(whiteNoise(1_000, 20_000), 10))).toEqual([]);
  });
});
