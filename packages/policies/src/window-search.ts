import { firstInstant, type LocalHours } from './local-hours.ts';
import { DAY_MS } from './time-units.ts';
import type { ZoneClock } from './zone-clock.ts';

/** Null: not within 90 days. */
export type CallingWindow =
  | { readonly kind: 'open'; readonly untilMs: number | null }
  | { readonly kind: 'closed'; readonly opensAtMs: number | null };

export const SEARCHED_MS = 90 * DAY_MS;

/** The first instant at which every zone is open. Each look is at a later instant than the last, so it comes to an end. */
export function opensAt(
  hours: LocalHours,
  clocks: readonly ZoneClock[],
  fromMs: number,
  lastMs: number,
): number | null {
  let atMs = fromMs;
  let agreed = 0;
  while (agreed < clocks.length) {
    agreed = 0;
    for (const clock of clocks) {
      const opensMs = firstInstant(hours, clock, true, atMs, lastMs);
      if (opensMs === null) return null;
      agreed = opensMs === atMs ? agreed + 1 : 0;
      atMs = opensMs;
    }
  }
  return atMs;
}

/** The first instant at which a zone is closed. */
export function closesAt(
  hours: LocalHours,
  clocks: readonly ZoneClock[],
  fromMs: number,
  lastMs: number,
): number | null {
  let closesMs: number | null = null;
  for (const clock of clocks) closesMs = firstInstant(hours, clock, false, fromMs, closesMs ?? lastMs) ?? closesMs;
  return closesMs;
}
