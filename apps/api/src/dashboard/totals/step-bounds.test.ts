import { assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { daysOf, isTimeZone, stepBounds } from './step-bounds.ts';

const DAY_MS = 86_400_000;
const zones = constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
);

const dateIn = (timeZone: string, ms: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);
const isoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

test('a period begins at the first moment of its first day, ends with its last day, and has a step for each day', () => {
  // From 2015 on: earlier, some zones changed their clocks by less than half an hour.
  const days = integer({ min: Date.parse('2015-01-01') / DAY_MS, max: Date.parse('2035-12-01') / DAY_MS });
  assert(
    property(zones, days, integer({ min: 1, max: 40 }), (timeZone, day, count) => {
      const from = isoDate(day * DAY_MS);
      const to = isoDate((day + count - 1) * DAY_MS);
      const steps = stepBounds({ from, to, timeZone });
      expect(steps).not.toBeNull();
      if (steps === null) return;
      const { step, bounds } = steps;
      const lastMs = bounds.at(-1) ?? 0;
      expect([dateIn(timeZone, bounds[0]), dateIn(timeZone, bounds[0] - 1)]).toEqual([
        from,
        isoDate((day - 1) * DAY_MS),
      ]);
      expect([dateIn(timeZone, lastMs - 1), dateIn(timeZone, lastMs)]).toEqual([to, isoDate((day + count) * DAY_MS)]);
      expect(bounds.every((bound, at) => at === 0 || bound > (bounds[at - 1] ?? 0))).toBe(true);
      if (step === 'day') expect(bounds.map((ms) => dateIn(timeZone, ms)).length).toBe(daysOf({ from, to }) + 1);
    }),
    { numRuns: 400 },
  );
});

test('one day is shown by the hour, even when it has 23 or 25 hours', () => {
  const days = ['2026-03-29', '2026-06-01', '2026-10-25'];
  const steps = days.map((day) => stepBounds({ from: day, to: day, timeZone: 'Europe/Berlin' }));
  expect(steps.map((found) => (found?.bounds.length ?? 0) - 1)).toEqual([23, 24, 25]);
  expect(steps.map((found) => found?.step)).toEqual(['hour', 'hour', 'hour']);
});

test('a zone with an offset of a quarter hour has no steps, and an unknown zone is a different error', () => {
  expect(stepBounds({ from: '2026-11-20', to: '2026-11-22', timeZone: 'Asia/Kathmandu' })).toBeNull();
  expect([isTimeZone('Europe/Berlin'), isTimeZone('Nowhere')]).toEqual([true, false]);
});
