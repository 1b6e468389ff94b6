import type { OpenCall } from '@outdial/calls';
import { callIdSchema, micros, reservationIdSchema } from '@outdial/contracts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDriftWatch } from './drift.ts';

const NONE = { call_not_held: 0, hold_without_call: 0, hold_too_small: 0 };

function openCall(tail: number, amount = 10): OpenCall {
  const end = String(tail).padStart(12, '0');
  return {
    callId: callIdSchema.parse(`0c000000-0000-4000-8000-${end}`),
    reservationId: reservationIdSchema.parse(`0d000000-0000-4000-8000-${end}`),
    status: 'queued',
    currency: 'USD',
    holdMicros: micros(amount),
  };
}

test('a difference in only one reading is no drift: a call was in flight', () => {
  const watch = createDriftWatch();
  expect(Object.fromEntries(watch.compare([openCall(1)], [openCall(2)]))).toEqual(NONE);
  expect(Object.fromEntries(watch.compare([openCall(1)], [openCall(1), openCall(3)]))).toEqual(NONE);
});

test('a difference in two consecutive readings is drift, by its kind', () => {
  const watch = createDriftWatch();
  const read = () => watch.compare([openCall(1), openCall(2, 20)], [openCall(2, 19), openCall(3)]);
  read();
  expect(Object.fromEntries(read())).toEqual({ call_not_held: 1, hold_without_call: 1, hold_too_small: 1 });
});

test('a larger hold in the gate is no drift: it is raised there first', () => {
  const watch = createDriftWatch();
  const read = () => watch.compare([openCall(1, 10)], [openCall(1, 20)]);
  read();
  expect(Object.fromEntries(read())).toEqual(NONE);
});

test('a closed gate discards earlier differences', () => {
  const watch = createDriftWatch();
  watch.compare([openCall(1)], []);
  watch.forget();
  expect(Object.fromEntries(watch.compare([openCall(1)], []))).toEqual(NONE);
});

test('drift is what differed twice between both stores, whatever else they hold', () => {
  const tails = fc.uniqueArray(fc.integer({ min: 0, max: 12 }));
  const reading = fc.record({ open: tails, held: tails });
  fc.assert(
    fc.property(reading, reading, (first, second) => {
      const watch = createDriftWatch();
      const compare = ({ open, held }: typeof first) =>
        watch.compare(
          open.map((tail) => openCall(tail)),
          held.map((tail) => openCall(tail)),
        );
      compare(first);
      const counts = compare(second);
      const isMissing = ({ open, held }: typeof first, tail: number) => open.includes(tail) && !held.includes(tail);
      const isLeaked = ({ open, held }: typeof first, tail: number) => held.includes(tail) && !open.includes(tail);
      const all = Array.from({ length: 13 }, (_, tail) => tail);
      const inBoth = (is: typeof isMissing) => all.filter((tail) => is(first, tail) && is(second, tail)).length;
      expect(counts.get('call_not_held')).toBe(inBoth(isMissing));
      expect(counts.get('hold_without_call')).toBe(inBoth(isLeaked));
    }),
  );
});
