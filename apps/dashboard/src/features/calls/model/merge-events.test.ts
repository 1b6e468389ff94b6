import type { CallEventBody } from '@outdial/contracts';
import { array, assert, bigInt, property, uniqueArray } from 'fast-check';
import { expect, test } from 'vitest';
import { mergeEvents } from './merge-events.ts';

const event = (id: bigint): CallEventBody => ({
  id: String(id),
  at: '2026-11-20T14:26:00.123Z',
  type: 'hold_enlarged',
  data: {},
});

test('a timeline has each event once and in order, however events arrive', () => {
  // Including ids beyond the safe integers of a number.
  const ids = uniqueArray(bigInt({ min: 1n, max: 2n ** 63n - 1n }), { maxLength: 30 });
  assert(
    property(ids, array(bigInt({ min: 0n, max: 29n })), (ids, repeats) => {
      const all = ids.map(event);
      const again = repeats.flatMap((index) => all[Number(index)] ?? []);
      const merged = mergeEvents(again, all);
      const inOrder = ids.toSorted((one, other) => (one < other ? -1 : 1));
      expect(merged.map(({ id }) => id)).toEqual(inOrder.map(String));
    }),
  );
});
