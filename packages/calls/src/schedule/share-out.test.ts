import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_PER_TURN, shareOut } from './share-out.ts';

const turns = fc.record({ freeSlots: fc.integer({ min: -500, max: 500 }), dueCalls: fc.nat({ max: 200 }) });

describe('the share of a turn', () => {
  it('is never above what is due, nor above what a turn admits', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const share = shareOut(turn);
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(Math.min(turn.dueCalls, MOST_PER_TURN));
      }),
    );
  });

  it('is never above the free slots, but for the one call that asks the gate', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        expect(shareOut(turn)).toBeLessThanOrEqual(Math.max(1, turn.freeSlots));
      }),
    );
  });

  it('leaves no slot free while calls are due, within what a turn admits', () => {
    fc.assert(
      fc.property(turns, (turn) => {
        const share = shareOut(turn);
        const isExhausted = share === turn.dueCalls || share === MOST_PER_TURN || share >= turn.freeSlots;
        expect(isExhausted).toBe(true);
      }),
    );
  });

  it('grows with the free slots and with what is due', () => {
    fc.assert(
      fc.property(turns, fc.nat({ max: 50 }), fc.nat({ max: 50 }), (turn, slots, calls) => {
        const more = { freeSlots: turn.freeSlots + slots, dueCalls: turn.dueCalls + calls };
        expect(shareOut(more)).toBeGreaterThanOrEqual(shareOut(turn));
      }),
    );
  });
});
