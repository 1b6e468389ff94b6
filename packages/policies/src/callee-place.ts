import { placeOf, type Place } from '@outdial/numbering';
import { keep } from './keep.ts';

/** Where the callee may be. Never changed: what is computed for a place is kept by the object. */
export interface CalleePlace {
  /** Of the number, by their names in `@outdial/numbering`. */
  readonly zones: readonly string[];
  /** The country, with its regions; `US-*` stands for any region of a country. */
  readonly regions: readonly string[];
  /** What the request said. A name from `zoneNamed`. */
  readonly givenZone: string | null;
  /** Whether the number or the request says where the callee is. */
  readonly certain: boolean;
}

/** A place is asked about with few zones, and a caller may not fill the memory with all of them. */
const ZONES_KEPT = 50;
const known = new WeakMap<Place, Map<string | null, CalleePlace>>();

/**
 * @param e164 a number such as +14235550100. Any other text has no zone.
 * @param givenZone a name from `zoneNamed`.
 */
export function calleePlace(e164: string, givenZone: string | null): CalleePlace {
  const place = placeOf(e164);
  let byZone = known.get(place);
  if (!byZone) known.set(place, (byZone = new Map()));
  return byZone.get(givenZone) ?? keep(byZone, givenZone, locate(place, givenZone), ZONES_KEPT);
}

function locate(place: Place, givenZone: string | null): CalleePlace {
  return Object.freeze({
    zones: place.zones,
    regions: Object.freeze(regionsOf(place)),
    givenZone,
    certain: place.certain || givenZone !== null,
  });
}

/** A number that may be from anywhere in its country may be from the region with the strictest rules. */
function regionsOf({ country, regions, certain }: Place): string[] {
  if (country === null) return [];
  return certain || regions.length > 0 ? [country, ...regions] : [country, `${country}-*`];
}
