import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimLimits } from './claim-limits.ts';

interface Slots {
  readonly total: number;
  readonly unhealthy: number;
}

test('failing receivers never take the last fifth of the slots, and healthy ones may take all', () => {
  const steps = fc.array(
    fc.record({
      wantedByFailing: fc.nat(500),
      wantedByHealthy: fc.nat(500),
      endedShare: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(fc.integer({ min: 5, max: 400 }), steps, (concurrency, rounds) => {
      let slots: Slots = { total: 0, unhealthy: 0 };
      for (const { wantedByFailing, wantedByHealthy, endedShare } of rounds) {
        const limits = claimLimits(concurrency, slots);
        expect(limits === null).toBe(slots.total === concurrency);
        if (limits !== null) {
          const failing = Math.min(wantedByFailing, limits.freeSlots - limits.freeSlotsForHealthyLanes);
          const healthy = Math.min(wantedByHealthy, limits.freeSlots - failing);
          slots = { total: slots.total + failing + healthy, unhealthy: slots.unhealthy + failing };
          expect(slots.total).toBeLessThanOrEqual(concurrency);
          expect(slots.unhealthy).toBeLessThanOrEqual(concurrency * 0.8);
        }
        const keep = (count: number) => count - Math.floor(count * endedShare);
        const unhealthy = keep(slots.unhealthy);
        slots = { unhealthy, total: unhealthy + keep(slots.total - slots.unhealthy) };
      }
      expect(claimLimits(concurrency, { total: 0, unhealthy: 0 })?.freeSlots).toBe(concurrency);
    }),
  );
});
