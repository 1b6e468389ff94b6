import { PLACES } from './generated/places.ts';

const ZONES: ReadonlySet<string> = new Set([
  ...Object.values(PLACES.countries).flat(),
  ...PLACES.areas.flatMap(([, , zones]) => zones),
]);
let zonesByCanonicalName: ReadonlyMap<string, string> | undefined;

/**
 * The zone of the table that a text names: by its own name, by an alias such as `US/Eastern`, in capitals or not.
 *
 * @returns null for a text that is no name of a zone, and for a zone without telephone numbers, such as `UTC`.
 */
export function zoneNamed(text: string): string | null {
  if (ZONES.has(text)) return text;
  const canonical = canonicalName(text);
  if (canonical === null) return null;
  zonesByCanonicalName ??= indexZones();
  return zonesByCanonicalName.get(canonical) ?? null;
}

/** The zone of a clock that need not be of a callee: as `zoneNamed`, and `UTC`. */
export function clockZoneNamed(text: string): string | null {
  return zoneNamed(text) ?? (canonicalName(text) === 'UTC' ? 'UTC' : null);
}

/** What the runtime calls the zone; which of its names that is differs between runtimes, and from the table. */
function canonicalName(text: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** When first needed, and without a formatter for names that the runtime lists as canonical: one takes 0.1 ms. */
function indexZones(): ReadonlyMap<string, string> {
  const listed = new Set(Intl.supportedValuesOf('timeZone'));
  const index = new Map<string, string>();
  for (const zone of ZONES) {
    const canonical = listed.has(zone) ? zone : canonicalName(zone);
    // Of two zones with one canonical name, the one that has it.
    if (canonical !== null && (canonical === zone || !index.has(canonical))) index.set(canonical, zone);
  }
  return index;
}
