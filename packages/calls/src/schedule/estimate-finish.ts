import { OPEN_POLICY } from '@outdial/contracts';
import { windowAt, type CalleePlace, type PoliciesInForce } from '@outdial/policies';
import type { CampaignWindow } from '../ports/schedule-store.ts';

/** More openings than any campaign has before its end is worth naming. */
const MOST_OPENINGS = 400;

/** A window as a calling policy and a place: one row, one zone. Both read it alike. */
export function hoursOf({ timeZone, week }: CampaignWindow): readonly [PoliciesInForce, CalleePlace] {
  const policy = { ...OPEN_POLICY, windows: { default: week } };
  return [
    { policy, floor: null },
    { zones: [timeZone], regions: [], givenZone: null, certain: true },
  ];
}

/** When a campaign that calls for `workMs` more is done, if it calls in its hours alone. Null: not within 90 days. */
export function estimateFinish(workMs: number, window: CampaignWindow | null, nowMs: number): number | null {
  if (window === null) return nowMs + workMs;
  const hours = hoursOf(window);
  const lastMs = nowMs + 90 * 86_400_000;
  let atMs = nowMs;
  let leftMs = workMs;
  for (let opening = 0; opening < MOST_OPENINGS && atMs <= lastMs; opening += 1) {
    const now = windowAt(...hours, atMs);
    if (now.kind === 'closed') {
      if (now.opensAtMs === null) return null;
      atMs = now.opensAtMs;
      continue;
    }
    if (now.untilMs === null || now.untilMs - atMs >= leftMs) return atMs + leftMs;
    leftMs -= now.untilMs - atMs;
    atMs = now.untilMs;
  }
  return null;
}

/** Whether the window is open at some time from `fromMs` on, and before `untilMs`. */
export function everOpens(window: CampaignWindow, fromMs: number, untilMs = Number.POSITIVE_INFINITY): boolean {
  const hours = windowAt(...hoursOf(window), fromMs);
  return hours.kind === 'open' || (hours.opensAtMs !== null && hours.opensAtMs < untilMs);
}
