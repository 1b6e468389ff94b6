import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addLateness, LatenessCounter, latenessAt } from './lateness.ts';

const countsOf = (latenessMs: readonly number[]) => {
  const counter = new LatenessCounter();
  for (const ms of latenessMs) counter.add(ms);
  return counter.take();
};

const times = fc.array(fc.double({ min: 0, max: 99, noNaN: true }), { minLength: 1, maxLength: 200 });

describe('lateness', () => {
  it('at a share of the packets equals that of the sorted list, rounded up to a quarter of a millisecond', () => {
    fc.assert(
      fc.property(times, fc.double({ min: 0.01, max: 1, noNaN: true }), (ms, share) => {
        const exact = ms.toSorted((one, other) => one - other)[Math.ceil(share * ms.length - 1e-9) - 1] ?? 0;
        const lateness = latenessAt(share, countsOf(ms)) ?? -1;
        expect(lateness).toBeGreaterThanOrEqual(exact);
        expect(lateness).toBeLessThanOrEqual(exact + 0.25);
      }),
    );
  });

  it('adds up', () => {
    fc.assert(
      fc.property(times, times, (one, other) => {
        expect(addLateness(countsOf(one), countsOf(other))).toEqual(countsOf([...one, ...other]));
      }),
    );
  });

  it('starts again once it is taken', () => {
    const counter = new LatenessCounter();
    counter.add(5);
    counter.take();
    expect(latenessAt(0.99, counter.take())).toBeNull();
  });

  it('keeps the maximum of what exceeds its buckets', () => {
    expect(latenessAt(1, countsOf([2, 250]))).toBe(250);
  });
});
