import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { PLACES } from './generated/places.ts';
import { placeOf } from './place-of.ts';

const NOWHERE = { country: null, regions: [], zones: [], certain: false };

test('a number of a country with one zone is in that zone', () => {
  expect(placeOf('+4915112345678')).toEqual({
    country: 'DE',
    regions: [],
    zones: ['Europe/Berlin'],
    certain: true,
  });
});

test('a number of a country with several zones counts as anywhere in it, mobile or not', () => {
  for (const number of ['+61255501234', '+61491570156']) {
    const { country, zones, certain } = placeOf(number);
    expect({ country, certain }).toEqual({ country: 'AU', certain: false });
    expect(zones).toEqual(expect.arrayContaining(['Australia/Perth', 'Australia/Darwin', 'Australia/Sydney']));
  }
});

test('countries that share a calling code are told apart', () => {
  expect(placeOf('+77012345678')).toMatchObject({ country: 'KZ', zones: ['Asia/Almaty'] });
  expect(placeOf('+79012345678')).toMatchObject({ country: 'RU', certain: false });
  expect(placeOf('+262639123456')).toMatchObject({ country: 'YT', zones: ['Indian/Mayotte'] });
  expect(placeOf('+17875550100')).toMatchObject({ country: 'PR', regions: ['US-PR'] });
});

test.each(['800', '833', '844', '855', '866', '877', '888', '900', '500', '711'])(
  'a number of the non-geographic or unknown code %s counts as anywhere in the United States',
  (code) => {
    const place = placeOf(`+1${code}5550100`);
    expect(place).toMatchObject({ country: 'US', regions: [], certain: false });
    expect(place.zones).toEqual(expect.arrayContaining(['America/New_York', 'America/Adak', 'Pacific/Honolulu']));
  },
);

test('a Canadian non-geographic number counts as anywhere in Canada', () => {
  expect(placeOf('+16005550100')).toMatchObject({ country: 'CA', regions: [], certain: false });
});

test('a fictional number is where its area code is', () => {
  for (const line of ['5550100', '5550199']) {
    expect(placeOf(`+1202${line}`)).toEqual(placeOf('+12022345678'));
    expect(placeOf(`+1423${line}`)).toEqual(placeOf('+14232345678'));
  }
});

test('a number of no country is nowhere', () => {
  for (const number of ['+881612345678', '+8001234567', '+883510012345', '+999123']) {
    expect(placeOf(number)).toEqual(NOWHERE);
  }
});

test('a text that is no E.164 number is nowhere', () => {
  for (const text of ['', '+', '14235550100', '+04235550100', '+1 423 555 0100', '+1423555010012345', '+1423x'])
    expect(placeOf(text)).toEqual(NOWHERE);
});

test('every country has a zone, and every number of a country has one', () => {
  const countries = Object.entries(PLACES.countries);
  expect(countries.length).toBeGreaterThan(240);
  expect(countries.filter(([, zones]) => zones.length === 0)).toEqual([]);
  const prefixes = Object.keys(PLACES.prefixes);
  expect(prefixes.filter((prefix) => placeOf(`+${prefix}`.padEnd(12, '5')).zones.length === 0)).toEqual([]);
});

test('any E.164 number has one place, which stays the same and which no caller can change', () => {
  const e164 = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.stringMatching(/^\d{1,14}$/))
    .map(([first, rest]) => `+${first}${rest}`);
  fc.assert(
    fc.property(e164, (number) => {
      const place = placeOf(number);
      expect(placeOf(number)).toBe(place);
      expect(Object.isFrozen(place) && Object.isFrozen(place.zones) && Object.isFrozen(place.regions)).toBe(true);
      expect(place.zones.length > 0).toBe(place.country !== null);
      if (place.certain) expect(place.zones.length).toBeGreaterThan(0);
    }),
  );
});

test('any text has a place', () => {
  fc.assert(fc.property(fc.string(), (text) => Array.isArray(placeOf(text).zones)));
});
