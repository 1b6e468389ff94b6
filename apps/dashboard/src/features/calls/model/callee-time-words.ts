import type { Place } from '@outdial/numbering';
import { cityOf } from '../../../shared/format/zone-city.ts';

/** The callee's local time: `In New York it is 03:12`. Empty if no zone is known. */
export function calleeTimeWords({ zones, certain }: Pick<Place, 'zones' | 'certain'>, nowMs: number): string {
  // Sorted as texts they are sorted by time, across midnight too.
  const times = [...new Set(zones.map((zone) => localTime(zone, nowMs)))].toSorted();
  const [earliest, latest] = [times[0], times.at(-1)];
  const [zone] = zones;
  if (zone === undefined || earliest === undefined || latest === undefined) return '';
  if (earliest === latest) return `In ${cityOf(zone)} it is ${clockOf(earliest)}`;
  const where = certain ? 'area' : 'country';
  return `It is between ${clockOf(earliest)} and ${clockOf(latest)}, depending on where in the ${where}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-27 03:12`. */
function localTime(zone: string, atMs: number): string {
  // Sweden's format begins with the year.
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { ...FIELDS, timeZone: zone });
  formats.set(zone, format);
  return format.format(atMs);
}

const FIELDS: Intl.DateTimeFormatOptions = { dateStyle: 'short', timeStyle: 'short' };

function clockOf(time: string): string {
  return time.slice(-'03:12'.length);
}
