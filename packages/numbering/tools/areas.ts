import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type { Area } from '../src/places-table.ts';
import { readPlaceNames, readZones } from './google-data.ts';
import { CORRECTED_ZONES, OVERLAY_COMPLEXES } from './overlays.ts';
import { regionsOfCountry, regionsOfName } from './regions.ts';

/** Names by area code. */
type ByCode = ReadonlyMap<string, ReadonlySet<string>>;

/** The area codes, those of one place together. */
export function readAreas(): readonly Area[] {
  const zones = zonesByCode();
  const regions = regionsByCode();
  const complexes = new Map(
    OVERLAY_COMPLEXES.map((line) => line.split(' ')).flatMap((codes) => codes.map((code) => [code, codes] as const)),
  );
  const areas = new Map<string, Area>();
  for (const code of [...new Set([...zones.keys(), ...complexes.keys()])].toSorted()) {
    const complex = complexes.get(code) ?? [code];
    const country = countryOf(complex);
    const isDivided = country === 'US' || country === 'CA';
    const place = [
      country,
      isDivided ? unionOf(regions, complex) : regionsOfCountry(country),
      unionOf(zones, complex),
    ] as const;
    const key = JSON.stringify(place);
    const codes = areas.get(key)?.[3];
    areas.set(key, [...place, codes === undefined ? code : `${codes} ${code}`]);
  }
  return [...areas].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, area]) => area);
}

/**
 * All zones of an area code, not those of the longest prefix: a mobile or ported number follows no exchange, and the data
 * has the majority's zone for exchanges that it does not know.
 */
function zonesByCode(): ByCode {
  return groupByCode(
    readZones().map(([digits, zones]) => {
      const corrected = CORRECTED_ZONES[codeOf(digits)];
      return [digits, zones.map((zone) => corrected?.[zone] ?? zone)] as const;
    }),
  );
}

/** Of the area code's own name; where it has none, of the names of its exchanges. */
function regionsByCode(): ByCode {
  const names = readPlaceNames().map(([digits, name]) => [digits, regionsOfName(name)] as const);
  const own = names.filter(([digits, regions]) => digits.length === 3 && regions.length > 0);
  return new Map([...groupByCode(names), ...groupByCode(own)]);
}

function groupByCode(entries: readonly (readonly [digits: string, names: readonly string[]])[]): ByCode {
  const byCode = new Map<string, Set<string>>();
  for (const [digits, names] of entries) {
    const known = byCode.get(codeOf(digits)) ?? new Set();
    for (const name of names) known.add(name);
    byCode.set(codeOf(digits), known);
  }
  return byCode;
}

function codeOf(digits: string): string {
  return digits.slice(0, 3);
}

function unionOf(byCode: ByCode, codes: readonly string[]): readonly string[] {
  const names = [...new Set(codes.flatMap((code) => [...(byCode.get(code) ?? [])]))].toSorted();
  if (names.length === 0) throw new Error(`the data knows nothing about +1 ${codes.join(', +1 ')}`);
  return names;
}

function countryOf(codes: readonly string[]): string {
  const countries = new Set(
    codes.map((code) => parsePhoneNumberFromString(`+1${code}2345678`)?.country).filter((found) => found !== undefined),
  );
  const [country] = countries;
  if (country === undefined || countries.size > 1) throw new Error(`+1 ${codes.join(', +1 ')}: not of one country`);
  return country;
}
