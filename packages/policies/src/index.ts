export { calleePlace, type CalleePlace } from './callee-place.ts';
export { windowAt, zonesAt, type ZoneWindow } from './calling-window.ts';
export { usFederalHolidays } from './federal-holidays.ts';
export { everyDay } from './packs/every-day.ts';
export type { Pack, PackRow } from './packs/pack.ts';
export { PACKS } from './packs/policy-packs.ts';
export { hasHours, judgedZones, type PoliciesInForce } from './policies-in-force.ts';
export type { CallingWindow } from './window-search.ts';
