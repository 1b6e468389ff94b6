import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Downsampler } from './downsampler.ts';
import { pcmOf, ulawOf } from './ulaw.ts';

interface Tone {
  readonly hz: number;
  readonly amplitude: number;
  readonly phase: number;
}

const valueAt = (tones: readonly Tone[], seconds: number): number =>
  tones.reduce((sum, { hz, amplitude, phase }) => sum + amplitude * Math.sin(2 * Math.PI * hz * seconds + phase), 0);

function pcm(tones: readonly Tone[], rateHz: number, count: number): Buffer {
  const bytes = Buffer.alloc(2 * count);
  for (let at = 0; at < count; at += 1) bytes.writeInt16LE(Math.round(valueAt(tones, at / rateHz)), 2 * at);
  return bytes;
}

const samplesOf = (ulaw: Uint8Array): readonly number[] => {
  const bytes = pcmOf(ulaw);
  return Array.from({ length: ulaw.length }, (_, at) => bytes.readInt16LE(2 * at));
};

function downsampled(sound: Buffer, rateHz: number, cuts: readonly number[] = []): Buffer {
  const downsampler = new Downsampler(rateHz);
  const ends = [...cuts.map((cut) => cut % (sound.length + 1)).toSorted((one, other) => one - other), sound.length];
  const parts = ends.map((end, index) => downsampler.push(sound.subarray(ends[index - 1] ?? 0, end)));
  return Buffer.concat([...parts, downsampler.end()]);
}

/** Where the filter reads what is before and after the sound. */
const EDGE = 40;
const tone = (lowest: number, highest: number) =>
  fc.record({
    hz: fc.integer({ min: lowest, max: highest }),
    amplitude: fc.integer({ min: 500, max: 5_000 }),
    phase: fc.double({ min: 0, max: 6, noNaN: true }),
  });
const rate = fc.constantFrom(16_000, 24_000, 48_000);

describe('a sound at the rate of the telephone', () => {
  test('is what a telephone would have sampled of the same tones', () => {
    fc.assert(
      fc.property(rate, fc.array(tone(100, 3_300), { minLength: 1, maxLength: 4 }), (rateHz, tones) => {
        const made = samplesOf(downsampled(pcm(tones, rateHz, rateHz / 10), rateHz));
        expect(made).toHaveLength(800);
        for (let at = EDGE; at < 800 - EDGE; at += 1) {
          const exact = valueAt(tones, at / 8_000);
          // µ-law has steps of a sixteenth; the filter may change a level by half a decibel.
          const loudest = tones.reduce((sum, { amplitude }) => sum + amplitude, 0);
          expect(Math.abs((made[at] ?? 0) - exact)).toBeLessThan(Math.abs(exact) / 16 + 0.03 * loudest + 8);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('has nothing of what no telephone carries: 50 dB down', () => {
    fc.assert(
      fc.property(tone(4_600, 11_500), (high) => {
        const made = samplesOf(downsampled(pcm([high], 24_000, 2_400), 24_000)).slice(EDGE, -EDGE);
        const rms = Math.sqrt(made.reduce((sum, sample) => sum + sample * sample, 0) / made.length);
        // The quietest codes are 8 apart.
        expect(rms).toBeLessThan((high.amplitude / Math.SQRT2) * 10 ** (-50 / 20) + 4);
      }),
      { numRuns: 60 },
    );
  });

  test('is the same however it is divided, also within a sample', () => {
    fc.assert(
      fc.property(
        rate,
        fc.uint8Array({ maxLength: 3_000 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (hz, bytes, cuts) => {
          const sound = Buffer.from(bytes);
          const whole = downsampled(sound, hz);
          expect(downsampled(sound, hz, cuts).equals(whole)).toBe(true);
          expect(whole).toHaveLength(Math.ceil(Math.floor(bytes.length / 2) / (hz / 8_000)));
        },
      ),
    );
  });

  test('begins again after its end', () => {
    const downsampler = new Downsampler(24_000);
    const sound = pcm([{ hz: 700, amplitude: 9_000, phase: 1 }], 24_000, 1_000);
    const play = () => Buffer.concat([downsampler.push(sound), downsampler.push(Buffer.of(7)), downsampler.end()]);
    expect(play().equals(play())).toBe(true);
  });

  test('is limited where the filter overshoots', () => {
    const square = Buffer.alloc(4_800);
    for (let at = 0; at < 2_400; at += 1) square.writeInt16LE((at >> 4) % 2 === 0 ? 32_767 : -32_768, 2 * at);
    expect(Math.max(...samplesOf(downsampled(square, 24_000)).map(Math.abs))).toBe(32_124);
  });
});

test('a rate that is no multiple is refused', () => {
  expect(() => new Downsampler(22_050)).toThrow('22050');
});

test('each code is that of its sample', () => {
  for (let code = 0; code < 256; code += 1) {
    const sample = pcmOf(Uint8Array.of(code)).readInt16LE(0);
    // 0x7f is the negative zero.
    expect(ulawOf(sample)).toBe(code === 0x7f ? 0xff : code);
  }
});
