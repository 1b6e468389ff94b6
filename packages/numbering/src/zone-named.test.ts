import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { clockOf } from '../test/clock-of.ts';
import { PLACES } from './generated/places.ts';
import { clockZoneNamed, zoneNamed } from './zone-named.ts';

const ZONES = [
  ...new Set([...Object.values(PLACES.countries).flat(), ...PLACES.areas.flatMap(([, , zones]) => zones)]),
].toSorted();

test('a zone of the table is itself', () => {
  expect(ZONES.map(zoneNamed)).toEqual(ZONES);
});

test.each([
  ['US/Eastern', 'America/New_York'],
  ['US/Arizona', 'America/Phoenix'],
  ['GB', 'Europe/London'],
  ['NZ', 'Pacific/Auckland'],
])('the alias %s names the zone %s', (alias, zone) => {
  expect(zoneNamed(alias)).toBe(zone);
});

test.each([
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
])('the old name %s and the new name %s are one zone of the table', (oldName, newName) => {
  const zone = zoneNamed(oldName);
  expect(ZONES).toContain(zone);
  expect(zoneNamed(newName)).toBe(zone);
});

test('capitals do not matter', () => {
  expect(['america/new_york', 'AMERICA/NEW_YORK', 'us/eastern', 'asia/calcutta'].map(zoneNamed)).toEqual([
    'America/New_York',
    'America/New_York',
    'America/New_York',
    zoneNamed('Asia/Calcutta'),
  ]);
});

test('a name that the runtime lists names a zone with the same clock, or none', () => {
  const wrong = Intl.supportedValuesOf('timeZone').filter((name) => {
    const zone = zoneNamed(name);
    return zone !== null && clockOf(zone) !== clockOf(name);
  });
  expect(wrong).toEqual([]);
});

test('a text that names no zone of the table is null', () => {
  for (const text of ['', ' ', 'Mars/Olympus', 'UTC', '+05:30', 'America/New York', 'x'.repeat(100_000), 'constructor'])
    expect(zoneNamed(text)).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => [null, ...ZONES].includes(zoneNamed(text))));
});

test('a clock may be in UTC, by any of its names, besides the zones of the table', () => {
  expect(['UTC', 'utc', 'Etc/UTC', 'US/Eastern', 'Mars/Olympus', ''].map(clockZoneNamed)).toEqual([
    'UTC',
    'UTC',
    'UTC',
    'America/New_York',
    null,
    null,
  ]);
});
