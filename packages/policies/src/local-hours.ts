import type { CallingPolicySettings, CallingWeek } from '@outdial/contracts';
import { DAY_MINUTES, DAY_MS, MINUTE_MS, WEEK_MINUTES } from './time-units.ts';
import { edgesUntil, weekWindows, type WeekWindows } from './week-windows.ts';
import type { ZoneClock } from './zone-clock.ts';

/** 1970-01-01 was a Thursday; weeks begin with Monday. */
const EPOCH_WEEKDAY = 3;

/** When calls are open by a local clock, whichever zone it is of. */
export interface LocalHours {
  readonly week: WeekWindows;
  /** Local dates, as days since 1970-01-01. */
  readonly closedDays: ReadonlySet<number>;
}

/** Of all rules together: what one of them closes is closed. */
export function localHours(rules: readonly CallingPolicySettings[], regions: readonly string[]): LocalHours {
  return {
    week: weekWindows(rules.flatMap(({ windows }) => rowsAt(windows, regions))),
    closedDays: new Set(rules.flatMap((rule) => rule.closed_days).map((date) => Date.parse(date) / DAY_MS)),
  };
}

function rowsAt(windows: CallingPolicySettings['windows'], regions: readonly string[]): CallingWeek[] {
  return Object.entries(windows)
    .filter(([key]) => key === 'default' || regions.includes(key) || regions.includes(`${key.slice(0, 2)}-*`))
    .map(([, row]) => row);
}

/** Null where that depends on the time. */
export function alwaysOpen({ week, closedDays }: LocalHours): boolean | null {
  if (week.edges.length > 0) return null;
  if (!week.opensAtStart) return false;
  return closedDays.size === 0 ? true : null;
}

/** The first instant from `fromMs` to `lastMs` at which the hours are open, or closed, by a zone's clock. */
export function firstInstant(
  hours: LocalHours,
  clock: ZoneClock,
  wantsOpen: boolean,
  fromMs: number,
  lastMs: number,
): number | null {
  for (let atMs = fromMs; atMs <= lastMs;) {
    const offsetMs = clock.offsetMsAt(atMs);
    const localMinute = Math.floor((atMs + offsetMs) / MINUTE_MS);
    const localDay = Math.floor(localMinute / DAY_MINUTES);
    const midnight = (localDay + 1) * DAY_MINUTES;
    let nextMinute = midnight;
    let isOpen = false;
    if (!hours.closedDays.has(localDay)) {
      const weekMinute = positiveModulo(localMinute + EPOCH_WEEKDAY * DAY_MINUTES, WEEK_MINUTES);
      const passed = edgesUntil(hours.week, weekMinute);
      isOpen = hours.week.opensAtStart === (passed % 2 === 0);
      const edge = hours.week.edges[passed] ?? WEEK_MINUTES;
      nextMinute = Math.min(midnight, localMinute + edge - weekMinute);
    }
    if (isOpen === wantsOpen) return atMs;
    atMs = Math.min(nextMinute * MINUTE_MS - offsetMs, clock.holdsUntilMs(atMs));
  }
  return null;
}

function positiveModulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
