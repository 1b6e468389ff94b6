import { readFileSync } from 'node:fs';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { SHARED_CODES } from './shared-codes.ts';

/** From the IANA time zone database. Google's data names one zone for each clock, and some that keep another. */
const ZONE_TAB = new URL('../data/zone.tab', import.meta.url);

/** Countries whose zones differ only in the past, or whose telephones follow one of them. */
export const ONE_CLOCK: Readonly<Record<string, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  // The other is Urumqi's, whose offices keep the time of Beijing.
  CN: 'Asia/Shanghai',
  CY: 'Asia/Nicosia',
  DE: 'Europe/Berlin',
  KZ: 'Asia/Almaty',
  MH: 'Pacific/Majuro',
  MY: 'Asia/Kuala_Lumpur',
  PS: 'Asia/Gaza',
  // The other is Simferopol's, whose telephones have numbers of +7.
  UA: 'Europe/Kyiv',
  UZ: 'Asia/Tashkent',
};
/** Territories with a calling code that the database lists under another country. */
const UNLISTED: Readonly<Record<string, string>> = {
  AC: 'Atlantic/St_Helena',
  TA: 'Atlantic/St_Helena',
  XK: 'Europe/Belgrade',
};
/** Names that installed databases may not know yet, and the zone that keeps the same clock. */
const NEW_NAMES: Readonly<Record<string, string>> = { 'America/Coyhaique': 'America/Punta_Arenas' };

/** All zones of each country that has a calling code. */
export function readCountries(): Readonly<Record<string, readonly string[]>> {
  const listed = readZoneTab();
  const zonesOf = (country: string) => {
    const only = ONE_CLOCK[country] ?? UNLISTED[country];
    const zones = only === undefined ? (listed.get(country) ?? []) : [only];
    if (zones.length === 0) throw new Error(`${country} has a calling code but no time zone: add it to UNLISTED`);
    return [...new Set(zones.map((zone) => NEW_NAMES[zone] ?? zone))].toSorted();
  };
  return Object.fromEntries(
    getCountries()
      .toSorted()
      .map((country) => [country, zonesOf(country)]),
  );
}

/** The country by leading digits. */
export function readPrefixes(): Readonly<Record<string, string>> {
  const own = new Map<string, string>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const shared = SHARED_CODES[code];
    if (!shared && own.has(code)) throw new Error(`+${code} is of several countries: add it to SHARED_CODES`);
    own.set(code, shared?.most ?? country);
  }
  for (const [code, { others }] of Object.entries(SHARED_CODES)) {
    for (const [country, digits] of Object.entries(others)) {
      for (const prefix of digits.split(' ')) own.set(code + prefix, country);
    }
  }
  return Object.fromEntries(own);
}

export function readZoneTab(): ReadonlyMap<string, readonly string[]> {
  const zones = new Map<string, string[]>();
  for (const line of readFileSync(ZONE_TAB, 'utf8').split('\n')) {
    const [country, , zone] = line.split('\t');
    if (country === undefined || zone === undefined || country.startsWith('#')) continue;
    zones.set(country, [...(zones.get(country) ?? []), zone]);
  }
  return zones;
}
