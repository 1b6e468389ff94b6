import { PLACES } from './generated/places.ts';

/** Where the person behind a telephone number is, as far as the number says. */
export interface Place {
  /** ISO 3166-1 alpha-2; null for a number of no country, such as a satellite telephone's. */
  readonly country: string | null;
  /** ISO 3166-2, such as `US-FL`; only for an area code of the United States, its territories or Canada. */
  readonly regions: readonly string[];
  /** IANA time zones, in one of which the person is. Empty if there is no country. */
  readonly zones: readonly string[];
  /** Whether the number narrows the place down to its zones. Otherwise they are all zones of the country. */
  readonly certain: boolean;
}

const E164 = /^\+[1-9]\d{1,14}$/;
const NOWHERE = place(null, [], [], false);
const PLACES_BY_PREFIX = indexPlaces();
const LONGEST_PREFIX = Math.max(...[...PLACES_BY_PREFIX.keys()].map((prefix) => prefix.length));

/** @param e164 a number such as +14235550100. Any other text is a number of no country. */
export function placeOf(e164: string): Place {
  if (!E164.test(e164)) return NOWHERE;
  for (let length = LONGEST_PREFIX; length > 0; length -= 1) {
    const found = PLACES_BY_PREFIX.get(e164.slice(1, 1 + length));
    if (found) return found;
  }
  return NOWHERE;
}

/** One object for each place: a look-up allocates nothing that it keeps. */
function indexPlaces(): ReadonlyMap<string, Place> {
  const countries = new Map(
    Object.entries(PLACES.countries).map(([country, zones]) => [
      country,
      place(country, [], zones, zones.length === 1),
    ]),
  );
  const index = new Map<string, Place>();
  for (const [prefix, country] of Object.entries(PLACES.prefixes)) index.set(prefix, countries.get(country) ?? NOWHERE);
  for (const [country, regions, zones, codes] of PLACES.areas) {
    const area = place(country, regions, zones, true);
    for (const code of codes.split(' ')) index.set(`1${code}`, area);
  }
  return index;
}

/** Frozen, because all callers share it. */
function place(country: string | null, regions: readonly string[], zones: readonly string[], certain: boolean): Place {
  return Object.freeze({ country, regions: Object.freeze(regions), zones: Object.freeze(zones), certain });
}
