import { describe, expect, test } from 'vitest';
import { clockOf } from '../test/clock-of.ts';
import { AREAS } from '../test/north-america.ts';
import { placeOf } from './place-of.ts';

const clocksOf = (zones: readonly string[]) => [...new Set(zones.map(clockOf))].toSorted();

describe('an area code of North America', () => {
  test('lies in its country and regions, with every clock that people there keep', () => {
    const found = AREAS.map(({ code }) => ({ code, ...placeOf(`+1${code}2345678`) }));
    expect(found.map(({ zones, ...place }) => ({ ...place, zones: clocksOf(zones) }))).toEqual(
      AREAS.map(({ zones, ...place }) => ({ ...place, certain: true, zones: clocksOf(zones) })),
    );
  });

  test('is known with its place, or counts as anywhere in the United States or Canada', () => {
    const known = new Set(AREAS.map(({ code }) => code));
    const codes = Array.from({ length: 800 }, (_, index) => String(200 + index)).filter((code) => !known.has(code));
    const [unitedStates, canada] = [placeOf('+18005550100'), placeOf('+16005550100')];
    const elsewhere = codes.filter((code) => ![unitedStates, canada].includes(placeOf(`+1${code}2345678`)));
    expect(elsewhere).toEqual([]);
    expect(unitedStates.zones.map(clockOf)).toEqual(
      expect.arrayContaining(['Pacific/Honolulu', 'America/Adak', 'America/Phoenix'].map(clockOf)),
    );
    expect(canada.zones.map(clockOf)).toEqual(
      expect.arrayContaining(['America/St_Johns', 'America/Regina'].map(clockOf)),
    );
  });

  test('has all its zones even where an exchange has one', () => {
    // Google's data has Chattanooga in the zone of New York, and unknown exchanges of 423 in Chicago's.
    const ofChattanooga = placeOf('+14232345678');
    expect(ofChattanooga.zones).toEqual(['America/Chicago', 'America/New_York']);
    expect(placeOf('+14239999999')).toBe(ofChattanooga);
  });

  test.each([
    '208 986',
    '236 250 257 672 778',
    '270 364',
    '367 418 581',
    '423 729',
    '448 850',
    '458 541',
    '709 879',
    '812 930',
  ])('has the place of each code of its overlay complex: %s', (complex) => {
    const places = complex.split(' ').map((code) => placeOf(`+1${code}5550100`));
    expect(new Set(places).size).toBe(1);
  });

  test('has more than one zone in exactly the areas that a border of zones crosses', () => {
    const several = AREAS.filter(({ code }) => clocksOf(placeOf(`+1${code}2345678`).zones).length > 1);
    const byExchange =
      '208 219 250 270 308 418 423 541 574 605 606 620 701 709 775 785 807 812 850 867 879 906 907 928 986';
    const byComplex = '236 257 364 367 448 458 581 672 729 778 930';
    expect(several.map(({ code }) => code).toSorted()).toEqual(`${byExchange} ${byComplex}`.split(' ').toSorted());
  });
});
