import { describe, expect, test } from 'vitest';
import { createEars, UNRECOGNISED } from './ears.ts';
import { decodeUlaw, encodeUlaw } from './ulaw.ts';

const SENTENCES = ['Yes, speaking.', 'Okay, that is fine.', 'All right, thank you.', 'Goodbye.'];

/** Speech-like sound: each character decides the loudness and length of a syllable. */
function soundOf(text: string): Int16Array {
  const parts = Array.from({ length: text.length }, (_, index) => {
    const code = text.charCodeAt(index);
    const amplitude = 2_000 + (code % 7) * 2_500;
    return Array.from({ length: 480 + (code % 5) * 160 }, (_sample, at) => amplitude * Math.sin(at * 0.24));
  });
  return Int16Array.from(parts.flat());
}

/** As it arrives: quieter, with silence around it, a soft noise, and in µ-law. */
function throughTelephone(samples: Int16Array, { gain = 0.5, silenceMs = 300 } = {}): Int16Array {
  const around = silenceMs * 8;
  const heard = new Int16Array(samples.length + 2 * around);
  for (let at = 0; at < heard.length; at += 1) {
    const noise = 60 * Math.sin(at * 1.7) * Math.cos(at * 0.031);
    heard[at] = (samples[at - around] ?? 0) * gain + noise;
  }
  return decodeUlaw(encodeUlaw(heard));
}

const ears = createEars(SENTENCES.map((text) => ({ text, samples: soundOf(text) })));

describe('the ears of a simulated provider', () => {
  test.each(SENTENCES)('know a sentence through the telephone: %s', (text) => {
    for (const gain of [0.25, 0.5, 1]) expect(ears.recognise(throughTelephone(soundOf(text), { gain }))).toBe(text);
  });

  test.each(SENTENCES)('know a sentence that a late line broke: %s', (text) => {
    const heard = throughTelephone(soundOf(text));
    const middle = Math.floor(heard.length / 2);
    // A late packet is replaced by a fading repetition of the one before, and then played too.
    const added = heard.slice(middle - 480, middle).map((sample, at) => sample * (1 - at / 480));
    const broken = Int16Array.from([...heard.slice(0, middle), ...added, ...heard.slice(middle)]);
    expect(ears.recognise(broken)).toBe(text);
    const shortened = Int16Array.from([...heard.slice(0, middle), ...heard.slice(middle + 480)]);
    expect(ears.recognise(shortened)).toBe(text);
  });

  test('invent nothing for other speech, noise or silence', () => {
    for (const text of ['No, that is wrong.', 'Okay, that was bad.', 'x']) {
      expect(ears.recognise(throughTelephone(soundOf(text)))).toBe(UNRECOGNISED);
    }
    expect(ears.recognise(new Int16Array(8_000))).toBe(UNRECOGNISED);
    expect(ears.recognise(new Int16Array())).toBe(UNRECOGNISED);
    const noise = Int16Array.from({ length: 12_000 }, (_, at) => 8_000 * Math.sin(at * at * 0.37));
    expect(ears.recognise(noise)).toBe(UNRECOGNISED);
  });
});
