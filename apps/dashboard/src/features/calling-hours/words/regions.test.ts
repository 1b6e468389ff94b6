import { expect, test } from 'vitest';
import { readRegion } from './read-region.ts';
import { readTime } from '../../../shared/week/read-time.ts';
import { regionChoices, regionName } from './regions.ts';

test('the list has every state, province and country once, by its name', () => {
  const [states, provinces, countries] = regionChoices().map(({ items }) => items);
  expect([states?.length, provinces?.length]).toEqual([51, 13]);
  expect(states?.[0]).toEqual({ value: 'US-AL', label: 'Alabama (US-AL)' });
  const codes = regionChoices().flatMap(({ items }) => items.map(({ value }) => value));
  expect(new Set(codes).size).toBe(codes.length);
  // A country without a name would be its code.
  for (const { value, label } of countries ?? []) expect(label).not.toBe(`${value} (${value})`);
});

test('a region is chosen from the list, or typed as a name or a code', () => {
  expect(readRegion('Florida (US-FL)')).toBe('US-FL');
  expect(readRegion(' florida ')).toBe('US-FL');
  expect(readRegion('Georgia (GE)')).toBe('GE');
  expect(readRegion('germany')).toBe('DE');
  expect(readRegion('us-fl')).toBe('US-FL');
  expect(readRegion('de-by')).toBe('DE-BY');
  for (const text of ['', 'Narnia', 'US-', 'US-FLORIDA']) expect(readRegion(text)).toBeNull();
});

test('a code of no country, or a name of two, is not taken for a region', () => {
  for (const text of ['UK', 'FL', 'XX', 'US-FA', 'Georgia']) expect(readRegion(text)).toBeNull();
  expect(readRegion('Georgia (US-GA)')).toBe('US-GA');
});

test('a code without a name stays a code', () => {
  expect(regionName('DE-BY')).toBe('DE-BY');
  expect(regionName('CA-QC')).toBe('Quebec');
});

test('a picture draws only complete times', () => {
  expect(readTime('06:00-24:00')).toEqual({ from: 0.25, to: 1 });
  expect(readTime('6-12')).toEqual({ from: 0.25, to: 0.5 });
  for (const text of ['', '06:00', '12:00-06:00', '20:00-26:00']) expect(readTime(text)).toBeNull();
});
