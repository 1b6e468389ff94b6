import type { CallingPolicySettings, Weekday } from '@outdial/contracts';
import type { CalleePlace } from '../src/callee-place.ts';
import type { PoliciesInForce } from '../src/policies-in-force.ts';

export const MINUTE_MS = 60_000;

interface WallClock {
  readonly date: string;
  readonly weekday: Weekday;
  readonly time: string;
}

const WEEKDAYS: Readonly<Record<string, Weekday>> = {
  Mon: 'mon',
  Tue: 'tue',
  Wed: 'wed',
  Thu: 'thu',
  Fri: 'fri',
  Sat: 'sat',
  Sun: 'sun',
};
const clocks = new Map<string, { format: Intl.DateTimeFormat; read: Map<number, WallClock> }>();

/** What a clock on the wall shows, minute by minute. It knows nothing of offsets. */
export function wallClock(zone: string, atMs: number): WallClock {
  let clock = clocks.get(zone);
  if (!clock) clocks.set(zone, (clock = { format: formatOf(zone), read: new Map() }));
  const minute = Math.floor(atMs / MINUTE_MS);
  let shown = clock.read.get(minute);
  if (!shown) clock.read.set(minute, (shown = readClock(clock.format, minute * MINUTE_MS)));
  return shown;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
}

function readClock(format: Intl.DateTimeFormat, atMs: number): WallClock {
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  const weekday = WEEKDAYS[parts.get('weekday') ?? ''];
  if (!weekday) throw new Error('the clock shows no weekday');
  return {
    date: `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`,
    weekday,
    time: `${parts.get('hour')}:${parts.get('minute')}`,
  };
}

/** The rules as they are written, read for one instant. */
export function isOpenByModel({ policy, floor }: PoliciesInForce, place: CalleePlace, atMs: number): boolean {
  const rules = [policy, floor].filter((rule) => rule !== null);
  const trusts = rules.length > 0 && rules.every((rule) => rule.trust_given_zone);
  const given = place.givenZone === null ? [] : [place.givenZone];
  const zones = trusts && given.length > 0 ? given : [...place.zones, ...given];
  if (zones.length === 0)
    return rules.every((rule) => Object.keys(rule.windows).length + rule.closed_days.length === 0);
  return zones.every((zone) => rules.every((rule) => isOpenInZone(rule, place.regions, wallClock(zone, atMs))));
}

function isOpenInZone(rule: CallingPolicySettings, regions: readonly string[], clock: WallClock): boolean {
  if (rule.closed_days.includes(clock.date)) return false;
  for (const [key, week] of Object.entries(rule.windows)) {
    const [country] = key.split('-');
    if (key !== 'default' && !regions.includes(key) && !regions.includes(`${country}-*`)) continue;
    const isWithin = week[clock.weekday].some((interval) => {
      const [begin = '', end = ''] = interval.split('-');
      return begin <= clock.time && clock.time < end;
    });
    if (!isWithin) return false;
  }
  return true;
}

/** The next minute at which the answer is another; null: not within so many minutes. */
export function changeByModel(
  policies: PoliciesInForce,
  place: CalleePlace,
  fromMs: number,
  minutes: number,
): number | null {
  const isOpen = isOpenByModel(policies, place, fromMs);
  const first = Math.floor(fromMs / MINUTE_MS) * MINUTE_MS;
  for (let step = 1; step <= minutes; step += 1) {
    const atMs = first + step * MINUTE_MS;
    if (isOpenByModel(policies, place, atMs) !== isOpen) return atMs;
  }
  return null;
}
