import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { SpokenSound, UnplayableSound } from './spoken-sound.ts';
import { ulawOfSamples } from './ulaw.ts';
import { wavOf } from './wav.ts';

const sound = Int16Array.from({ length: 2_205 }, (_, at) => 9_000 * Math.sin(at / 9));
const raw = Buffer.from(sound.buffer);

function spoken(bytes: Buffer, rawRateHz: number | null, pieces: readonly number[] = []): Buffer {
  const decoder = new SpokenSound(rawRateHz);
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const piece of pieces) {
    parts.push(decoder.add(bytes.subarray(at, at + piece)));
    at += piece;
  }
  return Buffer.concat([...parts, decoder.add(bytes.subarray(at)), decoder.end()]);
}

test('a WAV file sounds as its samples do, whatever rate the settings name', () => {
  const expected = spoken(raw, 22_050);
  expect(expected).toHaveLength(800);
  expect(spoken(wavOf(sound, 22_050), null)).toEqual(expected);
  expect(spoken(wavOf(sound, 22_050), 24_000)).toEqual(expected);
});

test('a sound that is cut anywhere, also within a sample or the header, is the same', () => {
  const expected = spoken(raw, 22_050);
  const pieces = fc.array(fc.integer({ min: 0, max: 99 }), { maxLength: 30 });
  fc.assert(
    fc.property(pieces, (cuts) => {
      expect(spoken(raw, 22_050, cuts)).toEqual(expected);
      expect(spoken(wavOf(sound, 22_050), null, cuts)).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test('a stream whose header has no size is played to its end, and what follows a size is not', () => {
  const [unknown, largest] = [wavOf(sound, 8_000), wavOf(sound, 8_000)];
  unknown.writeUInt32LE(0, 40);
  largest.writeUInt32LE(0xff_ff_ff_ff, 40);
  expect(spoken(unknown, null)).toEqual(spoken(largest, null));
  const followed = Buffer.concat([wavOf(sound, 8_000), Buffer.from('LIST\x04\0\0\0abcd', 'latin1')]);
  expect(spoken(followed, null)).toEqual(spoken(wavOf(sound, 8_000), null));
});

test('a header that comes byte by byte is read once', () => {
  const decoder = new SpokenSound(null);
  decoder.add(Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'));
  let reads = 0;
  const part = Buffer.from('junk\0\0\0\0', 'latin1');
  const read = Buffer.prototype.readUInt32LE;
  const counting = vi.spyOn(Buffer.prototype, 'readUInt32LE').mockImplementation(function (this: Buffer, at) {
    reads += 1;
    return read.call(this, at);
  });
  for (let at = 0; at < 8_000; at += 1) decoder.add(part.subarray(at % 8, (at % 8) + 1));
  counting.mockRestore();
  expect(reads).toBe(1_000);
});

test('two channels become one', () => {
  const both = wavOf(
    Int16Array.from({ length: 1_600 }, (_, at) => (at % 2 === 0 ? 8_000 : 4_000)),
    8_000,
  );
  both.writeUInt16LE(2, 22);
  const ulaw = spoken(both, null);
  expect(ulaw).toHaveLength(800);
  expect(ulaw[400]).toBe(ulawOfSamples(Int16Array.of(6_000))[0]);
});

test.each([
  ['no WAV file', raw],
  ['samples of 8 bits', alter((file) => file.writeUInt16LE(8, 34))],
  ['an unknown format', alter((file) => file.writeUInt16LE(6, 20))],
  ['a rate of zero', alter((file) => file.writeUInt32LE(0, 24))],
  ['sound without a form', alter((file) => file.write('fmtx', 12, 'latin1'))],
])('what cannot be played is refused: %s', (_, file) => {
  expect(() => spoken(file, null)).toThrow(UnplayableSound);
});

function alter(change: (file: Buffer) => void): Buffer {
  const file = wavOf(sound, 22_050);
  change(file);
  return file;
}
