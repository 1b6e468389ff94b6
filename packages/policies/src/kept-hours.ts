import type { CalleePlace } from './callee-place.ts';
import { CallingHours } from './calling-hours.ts';
import { keep } from './keep.ts';
import { localHours, type LocalHours } from './local-hours.ts';
import { settingsOf, type PoliciesInForce } from './policies-in-force.ts';

const PLACES_KEPT = 500;
/** Stands for no rule where an object is a key. */
const NO_RULE = {};

interface Compiled {
  readonly hoursByRegions: Map<string, LocalHours>;
  readonly byPlace: Map<string, CallingHours>;
}

const compiled = new WeakMap<object, WeakMap<object, Compiled>>();
const placeKeys = new WeakMap<CalleePlace, string>();

/** Kept for as long as the policies are, for the places that were asked last. */
export function callingHours(policies: PoliciesInForce, place: CalleePlace): CallingHours {
  const { byPlace, hoursByRegions } = compiledFor(policies.policy ?? NO_RULE, policies.floor ?? NO_RULE);
  const key = placeKey(place);
  const known = byPlace.get(key);
  if (known) return known;
  const regions = place.regions.join(' ');
  const hours =
    hoursByRegions.get(regions) ??
    keep(hoursByRegions, regions, localHours(settingsOf(policies), place.regions), PLACES_KEPT);
  return keep(byPlace, key, new CallingHours(policies, place, hours), PLACES_KEPT);
}

function compiledFor(policy: object, floor: object): Compiled {
  let byFloor = compiled.get(policy);
  if (!byFloor) compiled.set(policy, (byFloor = new WeakMap()));
  let found = byFloor.get(floor);
  if (!found) byFloor.set(floor, (found = { hoursByRegions: new Map(), byPlace: new Map() }));
  return found;
}

/** Places that are equal share what is computed. */
function placeKey(place: CalleePlace): string {
  let key = placeKeys.get(place);
  if (key === undefined) {
    key = `${place.zones.join(' ')}|${place.regions.join(' ')}|${place.givenZone ?? ''}`;
    placeKeys.set(place, key);
  }
  return key;
}
