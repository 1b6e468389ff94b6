export { placeOf, type Place } from './place-of.ts';
export { clockZoneNamed, zoneNamed } from './zone-named.ts';
