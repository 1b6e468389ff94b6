import { fakeClock } from '@outdial/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCommitHorizon } from './commit-horizon.ts';

const snapshot = (lastId: number, oldestXid: number, nextXid: number, history = '00000001') => ({
  history,
  lastId: BigInt(lastId),
  oldestXid: BigInt(oldestXid),
  nextXid: BigInt(nextXid),
});

test('without open transactions the horizon is the last id at once', () => {
  expect(createCommitHorizon(fakeClock()).observe(snapshot(7, 100, 100))).toBe(7n);
});

test('ids that an open transaction may have drawn stay above the horizon until it ends', () => {
  const horizon = createCommitHorizon(fakeClock());
  expect(horizon.observe(snapshot(7, 90, 100))).toBeNull();
  expect(horizon.observe(snapshot(9, 99, 103))).toBeNull();
  expect(horizon.observe(snapshot(12, 100, 105))).toBe(7n);
  expect(horizon.observe(snapshot(12, 104, 105))).toBe(9n);
});

test('a transaction that never ends delays the horizon by at most ten seconds', async () => {
  const clock = fakeClock();
  const horizon = createCommitHorizon(clock);
  horizon.observe(snapshot(7, 90, 100));
  await clock.advance(9_000);
  expect(horizon.observe(snapshot(20, 90, 120))).toBeNull();
  await clock.advance(1_000);
  expect(horizon.observe(snapshot(30, 90, 130))).toBe(7n);
});

test('another WAL timeline resets the horizon', () => {
  const horizon = createCommitHorizon(fakeClock());
  expect(horizon.observe(snapshot(700, 100, 100))).toBe(700n);
  expect(horizon.observe(snapshot(12, 90, 100, '00000002'))).toBeNull();
  expect(horizon.observe(snapshot(12, 100, 100, '00000002'))).toBe(12n);
});

/** Transactions that start, draw horizon and end, in any order that Postgres allows, and reads in between. */
type Step =
  | { readonly kind: 'begin' }
  | { readonly kind: 'look' }
  | { readonly kind: 'draw' | 'end'; readonly pick: number };
const steps = fc.array(
  fc.oneof(
    fc.constant<Step>({ kind: 'begin' }),
    fc.constant<Step>({ kind: 'look' }),
    fc.record({ kind: fc.constantFrom('draw', 'end'), pick: fc.nat(1_000) }),
  ),
  { maxLength: 80 },
);

test('no event ever becomes visible at or below the horizon', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const horizon = createCommitHorizon(fakeClock());
      const open = new Map<number, number[]>();
      const committed: number[] = [];
      let [nextXid, nextId, visibleTo] = [1, 1, 0];
      for (const step of history) {
        const xids = [...open.keys()];
        const xid = 'pick' in step && xids.length > 0 ? xids[step.pick % xids.length] : undefined;
        if (step.kind === 'begin') open.set(nextXid++, []);
        else if (step.kind === 'look') {
          const oldest = Math.min(nextXid, ...xids);
          visibleTo = Number(horizon.observe(snapshot(Math.max(0, ...committed), oldest, nextXid)) ?? 0);
        } else if (xid !== undefined && step.kind === 'draw') open.get(xid)?.push(nextId++);
        else if (xid !== undefined) {
          const drawn = open.get(xid) ?? [];
          expect(drawn.every((id) => id > visibleTo)).toBe(true);
          committed.push(...drawn);
          open.delete(xid);
        }
      }
    }),
  );
});
