import { expect, test } from 'vitest';
import { localIsoTime, shownLocalTime } from './local-time.ts';

const AT_MS = Date.UTC(2026, 10, 27, 3, 31, 5);

test.each([
  ['America/Chicago', '2026-11-26T21:31:05-06:00', '2026-11-26 21:31 -06:00'],
  ['America/St_Johns', '2026-11-27T00:01:05-03:30', '2026-11-27 00:01 -03:30'],
  ['Africa/Abidjan', '2026-11-27T03:31:05+00:00', '2026-11-27 03:31 +00:00'],
  ['Asia/Kathmandu', '2026-11-27T09:16:05+05:45', '2026-11-27 09:16 +05:45'],
])('a time in %s names its offset from UTC', (zone, iso, shown) => {
  expect(localIsoTime(zone, AT_MS)).toBe(iso);
  expect(shownLocalTime(zone, AT_MS)).toBe(shown);
});

test('a local time follows summer time', () => {
  expect(localIsoTime('America/New_York', Date.UTC(2026, 6, 1))).toBe('2026-06-30T20:00:00-04:00');
});
