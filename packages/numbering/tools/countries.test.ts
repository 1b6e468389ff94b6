import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { placeOf } from '../src/place-of.ts';
import { clockOf } from '../test/clock-of.ts';
import { ONE_CLOCK, readCountries, readPrefixes, readZoneTab } from './countries.ts';
import { SHARED_CODES } from './shared-codes.ts';

test('every country of libphonenumber has its zones and its calling code', () => {
  const [zones, prefixes] = [readCountries(), readPrefixes()];
  expect(Object.keys(zones)).toEqual(getCountries().toSorted());
  for (const country of getCountries()) expect(prefixes[getCountryCallingCode(country)], country).toBeDefined();
});

test('a country that counts as of one zone has one clock', () => {
  const zones = readZoneTab();
  // What people keep there is not what the database says: see ONE_CLOCK.
  for (const [country, only] of Object.entries(ONE_CLOCK).filter(([country]) => !['CN', 'UA'].includes(country))) {
    for (const zone of zones.get(country) ?? []) expect(clockOf(zone), `${country} ${zone}`).toBe(clockOf(only));
  }
});

test('libphonenumber finds the same country for a number whose calling code several countries share', () => {
  const completions = [
    '0000000000',
    '1111111111',
    '2345678901',
    '3434343434',
    '5555555555',
    '6789012345',
    '9876543210',
  ];
  const codes = Object.entries(SHARED_CODES).filter(([code]) => code !== '1' && code !== '590');
  const others = codes.flatMap(([code, { others }]) =>
    Object.values(others).flatMap((digits) => digits.split(' ').map((prefix) => code + prefix)),
  );
  // The whole of each shared code by its next three digits, and each exception with what surrounds it.
  const heads = [
    ...codes.flatMap(([code]) => Array.from({ length: 1_000 }, (_, index) => code + String(index).padStart(3, '0'))),
    ...others.flatMap((prefix) => Array.from({ length: 10 }, (_, digit) => prefix.slice(0, -1) + String(digit))),
  ];
  const numbers = heads.flatMap((head) =>
    completions.flatMap((rest) => [11, 12].map((length) => `+${head}${rest}`.slice(0, length + 1))),
  );
  const differing = numbers.filter((number) => {
    const found = parsePhoneNumberFromString(number);
    // Premium-rate numbers of +44 are nobody's home. And libphonenumber reads past a trunk prefix, which E.164 does not have.
    if (number.startsWith('+449')) return false;
    return found?.number === number && found.country !== undefined && found.country !== placeOf(number).country;
  });
  expect(differing).toEqual([]);
  expect(numbers.length).toBeGreaterThan(100_000);
});
