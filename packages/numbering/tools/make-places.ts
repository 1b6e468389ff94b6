/** Writes the table of places from the metadata of the development dependencies and `data/zone.tab`. */
import { writeFileSync } from 'node:fs';
import { makeTableText } from './make-table.ts';

writeFileSync(new URL('../src/generated/places.ts', import.meta.url), makeTableText());
