import { micros, reservationIdSchema, callIdSchema } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { GateHold } from '../ports/gate.ts';
import type { HoldStatus } from '../ports/reconcile-store.ts';
import { accountId, snapshotOf, limitsOf } from '../testing/gate/gate-fixture.ts';
import { MemoryGate } from '../testing/gate/memory-gate.ts';
import { compareGate } from './compare-gate.ts';
import { createDriftWatch } from './drift-watch.ts';

const NONE = { call_not_held: 0, hold_without_call: 0, hold_too_small: 0 };

function holdOf(tail: number, amount = 10): GateHold {
  const end = String(tail).padStart(12, '0');
  return {
    callId: callIdSchema.parse(`0c000000-0000-4000-8000-${end}`),
    accountId,
    reservationId: reservationIdSchema.parse(`0d000000-0000-4000-8000-${end}`),
    holdMicros: micros(amount),
  };
}

interface Readings {
  readonly open: readonly GateHold[];
  readonly tries?: readonly GateHold[];
  readonly held: readonly GateHold[];
  readonly isClosed?: boolean;
}

const PAGE = 2;

/** A gate with `held`, and a Postgres that has these open calls, a page of two at a time. */
async function compare({ open, tries = [], held, isClosed = false }: Readings) {
  const gate = new MemoryGate();
  gate.open(snapshotOf({ accounts: [limitsOf(accountId)], holds: held }));
  if (isClosed) gate.model.close(snapshotOf().token);
  const isOpen = (hold: { readonly reservationId: string }) =>
    [...open, ...tries].some(({ reservationId }) => reservationId === hold.reservationId);
  return compareGate({
    gate,
    holdReader: {
      async openHolds(after, _limit) {
        const start = after === null ? 0 : Number(after.id);
        const next = start + PAGE < open.length ? { accountId, createdAtMs: 0, id: String(start + PAGE) } : null;
        return { holds: open.slice(start, start + PAGE), next };
      },
      otherHolds: async () => tries,
    },
    reconcileStore: {
      holdStatuses: async (asked) =>
        asked.map((hold): HoldStatus => (isOpen(hold) ? { kind: 'open' } : { kind: 'unknown' })),
    },
  });
}

const countsOf = (counts: ReadonlyMap<string, number>) => Object.fromEntries(counts);

test('a difference in only one comparison is no drift: a call was in flight', async () => {
  const watch = createDriftWatch();
  expect(countsOf(watch.compared(await compare({ open: [holdOf(1)], held: [holdOf(2)] })))).toEqual(NONE);
  expect(countsOf(watch.compared(await compare({ open: [holdOf(1)], held: [holdOf(1), holdOf(3)] })))).toEqual(NONE);
});

test('a difference in two consecutive comparisons is drift, by its kind', async () => {
  const watch = createDriftWatch();
  const readings = { open: [holdOf(1), holdOf(2, 20)], held: [holdOf(2, 19), holdOf(3)] };
  watch.compared(await compare(readings));
  const found = watch.compared(await compare(readings));
  expect(countsOf(found)).toEqual({ call_not_held: 1, hold_without_call: 1, hold_too_small: 1 });
});

test('a larger hold in the gate is no drift, and neither is the hold of a try', async () => {
  const watch = createDriftWatch();
  const readings = { open: [holdOf(1)], tries: [holdOf(4)], held: [holdOf(1, 20), holdOf(4)] };
  expect(await compare(readings)).toEqual([]);
  watch.compared(await compare(readings));
  expect(countsOf(watch.compared(await compare(readings)))).toEqual(NONE);
});

test('a closed gate has nothing to compare, and discards earlier differences', async () => {
  const watch = createDriftWatch();
  const readings = { open: [holdOf(1)], held: [] };
  watch.compared(await compare(readings));
  const closed = await compare({ ...readings, isClosed: true });
  expect(closed).toBeNull();
  watch.compared(closed);
  expect(countsOf(watch.compared(await compare(readings)))).toEqual(NONE);
});

test('drift is what differed twice between both stores, whatever else they hold', async () => {
  const tails = fc.uniqueArray(fc.integer({ min: 0, max: 12 }));
  const reading = fc.record({ open: tails, held: tails });
  const all = Array.from({ length: 13 }, (_, tail) => tail);
  await fc.assert(
    fc.asyncProperty(reading, reading, async (first, second) => {
      const watch = createDriftWatch();
      const readingsOf = ({ open, held }: typeof first) =>
        compare({ open: open.map((tail) => holdOf(tail)), held: held.map((tail) => holdOf(tail)) });
      watch.compared(await readingsOf(first));
      const counts = watch.compared(await readingsOf(second));
      const isMissing = ({ open, held }: typeof first, tail: number) => open.includes(tail) && !held.includes(tail);
      const isLeaked = ({ open, held }: typeof first, tail: number) => held.includes(tail) && !open.includes(tail);
      const inBoth = (is: typeof isMissing) => all.filter((tail) => is(first, tail) && is(second, tail)).length;
      expect(counts.get('call_not_held')).toBe(inBoth(isMissing));
      expect(counts.get('hold_without_call')).toBe(inBoth(isLeaked));
    }),
  );
});
