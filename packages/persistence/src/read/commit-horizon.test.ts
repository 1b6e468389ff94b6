import { fakeClock } from '@outdial/testkit';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCommitHorizon } from './commit-horizon.ts';

const sighting = (lastId: number, oldestXid: number, nextXid: number, history = '00000001') => ({
  history,
  lastId: BigInt(lastId),
  oldestXid: BigInt(oldestXid),
  nextXid: BigInt(nextXid),
});

test('where no transaction is under way, everything is settled at once', () => {
  expect(createCommitHorizon(fakeClock()).see(sighting(7, 100, 100))).toBe(7n);
});

test('what a transaction under way may still hold is not, until it has ended', () => {
  const ids = createCommitHorizon(fakeClock());
  expect(ids.see(sighting(7, 90, 100))).toBeNull();
  expect(ids.see(sighting(9, 99, 103))).toBeNull();
  expect(ids.see(sighting(12, 100, 105))).toBe(7n);
  expect(ids.see(sighting(12, 104, 105))).toBe(9n);
});

test('a transaction that never ends holds nobody up for longer than ten seconds', async () => {
  const clock = fakeClock();
  const ids = createCommitHorizon(clock);
  ids.see(sighting(7, 90, 100));
  await clock.advance(9_000);
  expect(ids.see(sighting(20, 90, 120))).toBeNull();
  await clock.advance(1_000);
  expect(ids.see(sighting(30, 90, 130))).toBe(7n);
});

test('another course of events begins anew', () => {
  const ids = createCommitHorizon(fakeClock());
  expect(ids.see(sighting(700, 100, 100))).toBe(700n);
  expect(ids.see(sighting(12, 90, 100, '00000002'))).toBeNull();
  expect(ids.see(sighting(12, 100, 100, '00000002'))).toBe(12n);
});

/** Transactions that begin, draw ids, and end, in any order that Postgres allows; and looks in between. */
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

test('nothing ever turns up at or below what was settled', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const ids = createCommitHorizon(fakeClock());
      const open = new Map<number, number[]>();
      const committed: number[] = [];
      let [nextXid, nextId, settled] = [1, 1, 0];
      for (const step of history) {
        const xids = [...open.keys()];
        const xid = 'pick' in step && xids.length > 0 ? xids[step.pick % xids.length] : undefined;
        if (step.kind === 'begin') open.set(nextXid++, []);
        else if (step.kind === 'look') {
          const oldest = Math.min(nextXid, ...xids);
          settled = Number(ids.see(sighting(Math.max(0, ...committed), oldest, nextXid)) ?? 0);
        } else if (xid !== undefined && step.kind === 'draw') open.get(xid)?.push(nextId++);
        else if (xid !== undefined) {
          const drawn = open.get(xid) ?? [];
          expect(drawn.every((id) => id > settled)).toBe(true);
          committed.push(...drawn);
          open.delete(xid);
        }
      }
    }),
  );
});
