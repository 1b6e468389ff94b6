export { placeOf, type Place } from './place-of.ts';
export { zoneNamed } from './zone-named.ts';
