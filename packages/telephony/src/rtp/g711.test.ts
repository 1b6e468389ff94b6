import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeG711, encodeG711, type G711Law } from './g711.ts';

const encode = (law: G711Law, ...samples: number[]): number[] => {
  const target = new Uint8Array(samples.length);
  encodeG711(law, Int16Array.from(samples), target, 0);
  return [...target];
};
const decode = (law: G711Law, ...codes: number[]): number[] => [...decodeG711(law, Uint8Array.from(codes))];

/**
 * The Recommendation's tables 1a and 2a: the decision values of the positive half, segment by segment, in the law's own
 * unit. The code of a value is the number of decision values at or below it.
 */
interface Reference {
  readonly unit: number;
  readonly decisions: readonly number[];
  readonly quantized: readonly number[];
  readonly wire: (index: number, negative: boolean) => number;
}

function decisionValues(first: readonly number[], segments: readonly { count: number; step: number }[]): number[] {
  const values = [...first];
  for (const { count, step } of segments) {
    for (let nth = 0; nth < count; nth += 1) values.push((values.at(-1) ?? 0) + step);
  }
  return values;
}

const midpoints = (bounds: readonly number[]): number[] =>
  bounds.slice(1).map((upper, at) => (upper + (bounds[at] ?? 0)) / 2);

const ulawBounds = decisionValues(
  [0, 1],
  [{ count: 15, step: 2 }, ...[4, 8, 16, 32, 64, 128, 256].map((step) => ({ count: 16, step }))],
);
const alawBounds = decisionValues(
  [0],
  [{ count: 32, step: 2 }, ...[4, 8, 16, 32, 64, 128].map((step) => ({ count: 16, step }))],
);

const REFERENCES: Readonly<Record<G711Law, Reference>> = {
  PCMU: {
    unit: 4,
    decisions: ulawBounds.slice(1, 128),
    quantized: [0, ...midpoints(ulawBounds).slice(1)],
    wire: (index, negative) => (negative ? 0x7f : 0xff) - index,
  },
  PCMA: {
    unit: 8,
    decisions: alawBounds.slice(1, 128),
    quantized: midpoints(alawBounds),
    wire: (index, negative) => (index | (negative ? 0 : 0x80)) ^ 0x55,
  },
};

const LAWS = ['PCMU', 'PCMA'] as const;

describe('G.711', () => {
  it.each(LAWS)('the reference of %s has 128 intervals that reach the end of its range', (law) => {
    const { decisions, quantized } = REFERENCES[law];
    expect(decisions).toHaveLength(127);
    expect(quantized).toHaveLength(128);
    expect(law === 'PCMU' ? ulawBounds.at(-1) : alawBounds.at(-1)).toBe(law === 'PCMU' ? 8_159 : 4_096);
  });

  it.each(LAWS)('%s decodes every code to the value of the table', (law) => {
    const { quantized, unit, wire } = REFERENCES[law];
    for (const [index, value] of quantized.entries()) {
      expect(decode(law, wire(index, false))).toEqual([value * unit]);
      expect(decode(law, wire(index, true)).map(Math.abs)).toEqual([value * unit]);
      if (value > 0) expect(decode(law, wire(index, true))).toEqual([-value * unit]);
    }
  });

  it.each(LAWS)('%s encodes every sample as the table does', (law) => {
    const { decisions, unit, wire } = REFERENCES[law];
    const magnitudes = Array.from({ length: 32_768 }, (_, magnitude) => magnitude);
    let index = 0;
    const indexes = magnitudes.map((magnitude) => {
      while (index < 127 && magnitude >= (decisions[index] ?? 0) * unit) index += 1;
      return index;
    });
    expect(encode(law, ...magnitudes)).toEqual(indexes.map((at) => wire(at, false)));
    const negative = magnitudes.slice(1).map((magnitude) => -magnitude);
    expect(encode(law, ...negative)).toEqual(indexes.slice(1).map((at) => wire(at, true)));
    expect(encode(law, -32_768)).toEqual([wire(127, true)]);
  });

  it('matches well-known bytes', () => {
    expect(encode('PCMU', 0, 32_767, -32_768)).toEqual([0xff, 0x80, 0x00]);
    expect(encode('PCMA', 0, 32_767, -32_768)).toEqual([0xd5, 0xaa, 0x2a]);
    expect(decode('PCMU', 0xff, 0x7f, 0x80, 0x00)).toEqual([0, 0, 32_124, -32_124]);
    expect(decode('PCMA', 0xd5, 0x55, 0xaa, 0x2a)).toEqual([8, -8, 32_256, -32_256]);
  });

  it('loses nothing more when coded again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...LAWS), fc.uint8Array({ maxLength: 200 }), (law, codes) => {
        const once = decodeG711(law, codes);
        const again = new Uint8Array(codes.length);
        encodeG711(law, once, again, 0);
        expect(decodeG711(law, again)).toEqual(once);
      }),
    );
  });

  it('writes at the offset and nowhere else', () => {
    const target = new Uint8Array(4).fill(9);
    encodeG711('PCMA', Int16Array.of(0), target, 2);
    expect([...target]).toEqual([9, 9, 0xd5, 9]);
  });
});
