import { expect, test } from 'vitest';
import { spanOf, stepLabels } from './span.ts';

const NOW_MS = Date.parse('2026-11-20T23:30:00Z');
const BERLIN = { timeZone: 'Europe/Berlin', isUsable: true };

test('days follow the browser’s time zone, or UTC if chosen', () => {
  expect(spanOf({ range: 'today' }, BERLIN, NOW_MS)).toMatchObject({ from: '2026-11-21', to: '2026-11-21' });
  expect(spanOf({ range: 'today', zone: 'utc' }, BERLIN, NOW_MS)).toMatchObject({ to: '2026-11-20', timeZone: 'UTC' });
});

test('a range has as many days as its name says, including today', () => {
  expect(spanOf({}, BERLIN, NOW_MS)).toMatchObject({ range: '7-days', from: '2026-11-15', to: '2026-11-21' });
  expect(spanOf({ range: '90-days' }, BERLIN, NOW_MS)).toMatchObject({ from: '2026-08-24' });
});

test('a custom range is what the user chose, and ends today by default', () => {
  const chosen = { range: 'custom', from: '2026-01-02', to: '2026-01-05' } as const;
  expect(spanOf(chosen, BERLIN, NOW_MS)).toMatchObject({ from: '2026-01-02', to: '2026-01-05' });
  expect(spanOf({ range: 'custom' }, BERLIN, NOW_MS)).toMatchObject({ from: '2026-11-15', to: '2026-11-21' });
});

test('a time zone that is not on a half-hour offset is shown in UTC', () => {
  const zone = { timeZone: 'Asia/Kathmandu', isUsable: false };
  expect(spanOf({}, zone, NOW_MS).timeZone).toBe('UTC');
});

test('steps are labeled with their day, their hour, or both', () => {
  const span = spanOf({ range: 'today' }, BERLIN, NOW_MS);
  expect(stepLabels(span, 'hour')('2026-11-20T23:00:00.000Z')).toBe('00:00');
  expect(stepLabels(span, 'day')('2026-11-20T23:00:00.000Z')).toBe('21 Nov');
  expect(stepLabels({ ...span, to: '2026-11-22' }, 'hour')('2026-11-20T23:00:00.000Z')).toBe('21 Nov, 00:00');
});
