import type { PlacesTable } from '../src/places-table.ts';
import { readAreas } from './areas.ts';
import { readCountries, readPrefixes } from './countries.ts';

/** The file that `placeOf` reads. It names no time and no machine, so that every run writes the same. */
export function makeTableText(): string {
  const table: PlacesTable = { countries: readCountries(), prefixes: readPrefixes(), areas: readAreas() };
  return [
    '// Written by `npm run make-places -w @outdial/numbering`; NOTICE says from what.',
    "import type { PlacesTable } from '../places-table.ts';",
    '',
    'export const PLACES: PlacesTable = {',
    `"countries": ${JSON.stringify(table.countries)},`,
    `"prefixes": ${JSON.stringify(table.prefixes)},`,
    // One place a line, so that a difference shows which changed.
    `"areas": [\n${table.areas.map((area) => JSON.stringify(area)).join(',\n')}\n]`,
    '};',
    '',
  ].join('\n');
}
