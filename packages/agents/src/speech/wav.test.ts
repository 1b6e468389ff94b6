import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWav } from './wav.ts';

function wav(input: {
  samples: readonly number[];
  rateHz: number;
  chunks?: readonly Buffer[];
  channels?: number;
}): Buffer {
  const format = Buffer.alloc(24);
  format.write('fmt ', 'latin1');
  format.writeUInt32LE(16, 4);
  format.writeUInt16LE(1, 8);
  format.writeUInt16LE(input.channels ?? 1, 10);
  format.writeUInt32LE(input.rateHz, 12);
  format.writeUInt16LE(16, 22);
  const data = Buffer.alloc(8 + 2 * input.samples.length);
  data.write('data', 'latin1');
  data.writeUInt32LE(2 * input.samples.length, 4);
  for (const [index, sample] of input.samples.entries()) data.writeInt16LE(sample, 8 + 2 * index);
  return Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), ...(input.chunks ?? []), format, data]);
}

describe('a WAV file', () => {
  it('returns its samples and rate, with any other chunks', () => {
    const samples = fc.array(fc.integer({ min: -32_768, max: 32_767 }), { maxLength: 100 });
    const other = fc.uint8Array({ maxLength: 9 }).map((bytes) => {
      const head = Buffer.from('LIST\0\0\0\0', 'latin1');
      head.writeUInt32LE(bytes.length, 4);
      return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
    });
    fc.assert(
      fc.property(
        samples,
        fc.constantFrom(8_000, 16_000),
        fc.array(other, { maxLength: 3 }),
        (values, rateHz, chunks) => {
          const sound = parseWav(wav({ samples: values, rateHz, chunks }));
          expect([...sound.samples]).toEqual(values);
          expect(sound.rateHz).toBe(rateHz);
        },
      ),
    );
  });

  it('returns the available samples when it was cut off', () => {
    const file = wav({ samples: [1, 2, 3, 4], rateHz: 8_000 });
    expect([...parseWav(file.subarray(0, -3)).samples]).toEqual([1, 2]);
  });

  it('is rejected when it is not a WAV, is stereo, or has no sound', () => {
    expect(() => parseWav(Buffer.from('OggS'))).toThrow('did not write a WAV file');
    expect(() => parseWav(wav({ samples: [1], rateHz: 8_000, channels: 2 }))).toThrow('mono');
    expect(() => parseWav(wav({ samples: [], rateHz: 8_000 }).subarray(0, 36))).toThrow('without sound');
  });

  it('with any bytes makes the parser either return or throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        const file = Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), bytes]);
        try {
          expect(parseWav(file).samples.length).toBeLessThanOrEqual(40);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});
