import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { expect, test } from 'vitest';
import { placeOf } from '../src/place-of.ts';
import { clockOf } from '../test/clock-of.ts';
import { ONE_CLOCK, readCountries, readPrefixes, readZoneTab } from './countries.ts';
import { SHARED_CODES } from './shared-codes.ts';

test('every country of libphonenumber has its zones and its calling code', () => {
  const [zones, prefixes] = [readCountries(), readPrefixes()];
  expect(Object.keys(zones)).toEqual(getCountries().toSorted());
  expect(getCountries().filter((country) => prefixes[getCountryCallingCode(country)] === undefined)).toEqual([]);
});

test('a country that counts as of one zone has one clock', () => {
  const zones = readZoneTab();
  const differing = Object.entries(ONE_CLOCK)
    // What people keep there is not what the database says: see ONE_CLOCK.
    .filter(([country]) => !['CN', 'UA'].includes(country))
    .flatMap(([country, only]) => zones.get(country)?.filter((zone) => clockOf(zone) !== clockOf(only)) ?? [country]);
  expect(differing).toEqual([]);
});

test('libphonenumber finds the same country for a number whose calling code several countries share', () => {
  const completions = ['0000000000', '2345678901', '5555555555', '9876543210'];
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
    // A premium-rate number of +44 is no person's. And libphonenumber reads past a trunk prefix, which E.164 does not have.
    if (number.startsWith('+449')) return false;
    return found?.number === number && found.country !== undefined && found.country !== placeOf(number).country;
  });
  expect(differing).toEqual([]);
  expect(numbers.length).toBeGreaterThan(50_000);
});
