import { afterEach, expect, test, vi } from 'vitest';
import { toLocalTime, toOffsetTime, zoneWords } from './zone.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['Europe/Berlin', '2026-12-01T09:00', '2026-12-01T09:00:00+01:00'],
  ['Europe/Berlin', '2026-07-01T09:00', '2026-07-01T09:00:00+02:00'],
  ['America/St_Johns', '2026-12-01T09:00', '2026-12-01T09:00:00-03:30'],
  ['UTC', '2026-12-01T09:00:30', '2026-12-01T09:00:30+00:00'],
  // The clocks go from 2:00 to 3:00.
  ['Europe/Berlin', '2026-03-29T02:30', '2026-03-29T03:30:00+02:00'],
])('in %s the local time %s is %s', (zone, local, sent) => {
  vi.stubEnv('TZ', zone);
  expect(toOffsetTime(local)).toBe(sent);
});

test('an empty or incomplete time is none', () => {
  expect(['', 'tomorrow', '2026-12-01T'].map(toOffsetTime)).toEqual([undefined, undefined, undefined]);
});

test('a moment is a local time of its zone, and the same moment again', () => {
  vi.stubEnv('TZ', 'America/St_Johns');
  expect(toLocalTime('2026-12-01T12:30:00.000Z')).toBe('2026-12-01T09:00');
  expect(toOffsetTime(toLocalTime('2026-12-01T12:30:00.000Z'))).toBe('2026-12-01T09:00:00-03:30');
});

test('a time zone is shown with its offset at that moment', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  expect(zoneWords(new Date('2026-07-01T12:00:00Z'))).toBe('Europe/Berlin, UTC+02:00');
});
