import type { CalleePlace } from './callee-place.ts';
import { callingHours } from './kept-hours.ts';
import { firstInstant } from './local-hours.ts';
import { judgedZones, type PoliciesInForce } from './policies-in-force.ts';
import type { CallingWindow } from './window-search.ts';
import { clockOf } from './zone-clock.ts';

/** A zone in which the callee may be. */
export interface ZoneWindow {
  readonly zone: string;
  /** `YYYY-MM-DDTHH:MM`. */
  readonly localTime: string;
  readonly isOpen: boolean;
}

/** Whether the callee may be called at that instant, and until or from when. */
export function windowAt(policies: PoliciesInForce, place: CalleePlace, atMs: number): CallingWindow {
  return callingHours(policies, place).windowAt(atMs);
}

/** Each zone that is judged. All must be open; without one, rules close every hour. */
export function zonesAt(policies: PoliciesInForce, place: CalleePlace, atMs: number): ZoneWindow[] {
  const { hours } = callingHours(policies, place);
  return judgedZones(policies, place).map((zone) => {
    const clock = clockOf(zone);
    const localMs = atMs + clock.offsetMsAt(atMs);
    return {
      zone,
      localTime: new Date(localMs).toISOString().slice(0, 16),
      isOpen: firstInstant(hours, clock, true, atMs, atMs) !== null,
    };
  });
}
