import type { CallingPolicySettings } from '@outdial/contracts';
import type { SavedPolicy } from '../world/policies.ts';

/** Whom a call is for, and what its request said of where that is. */
export interface Whereabouts {
  readonly account: string;
  readonly callee: string;
  readonly zone: string | null;
  /** The version that accepted the call did not ask where the number is. */
  readonly isUnknown: boolean;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** In January, which is when the world is. */
const OFFSET_HOURS: Readonly<Record<string, number>> = { 'America/New_York': -5, 'America/Chicago': -6 };
/** Of the telephones of the fixtures, by their area codes. */
const PLACES: Readonly<Record<string, { readonly zones: readonly string[]; readonly region: string }>> = {
  '+1202': { zones: ['America/New_York'], region: 'US-DC' },
  '+1423': { zones: ['America/New_York', 'America/Chicago'], region: 'US-TN' },
};
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Policies of an account together with the floor, and while they were in force together. */
interface InForce extends Span {
  readonly policies: readonly CallingPolicySettings[];
}

/** All that were in force at some moment of the span. */
export function policiesDuring(saved: readonly SavedPolicy[], account: string, span: Span): readonly InForce[] {
  const cuts = saved.flatMap(({ fromMs }) => (fromMs > span.fromMs && fromMs <= span.toMs ? [fromMs] : []));
  const starts = [...new Set([span.fromMs, ...cuts])].toSorted((left, right) => left - right);
  return starts.flatMap((fromMs, index) => {
    const nextMs = starts[index + 1] ?? span.toMs;
    return at(saved, account, fromMs).flatMap((own) =>
      at(saved, null, fromMs).map((floor) => ({
        fromMs,
        // Several may have been in force in one millisecond, and the last one stays.
        toMs: Math.min(nextMs, own.untilMs, floor.untilMs),
        policies: [own.settings, floor.settings].filter((settings) => settings !== null),
      })),
    );
  });
}

/** Before its first policy, an owner has none. */
function at(
  saved: readonly SavedPolicy[],
  owner: string | null,
  atMs: number,
): readonly Pick<SavedPolicy, 'settings' | 'untilMs'>[] {
  const untilMs = saved.find((one) => one.owner === owner)?.fromMs ?? Infinity;
  const found = saved.filter((one) => one.owner === owner && one.fromMs <= atMs && one.untilMs >= atMs);
  return untilMs >= atMs ? [{ settings: null, untilMs }, ...found] : found;
}

/** Whether the hours were open, and whether they were closed, at some moment of the span. */
export function hoursDuring(
  saved: readonly SavedPolicy[],
  callee: Whereabouts,
  span: Span,
): { readonly wasOpen: boolean; readonly wasClosed: boolean } {
  const verdicts = policiesDuring(saved, callee.account, span).flatMap(({ policies, ...during }) =>
    momentsOf(during).map((atMs) => isOpen(policies, callee, atMs)),
  );
  return { wasOpen: verdicts.includes(true), wasClosed: verdicts.includes(false) };
}

/** Its beginning, and each minute's: in between nothing changes. */
function momentsOf({ fromMs, toMs }: Span): readonly number[] {
  const moments = [fromMs];
  for (let ms = (Math.floor(fromMs / MINUTE_MS) + 1) * MINUTE_MS; ms <= toMs; ms += MINUTE_MS) moments.push(ms);
  return moments;
}

function isOpen(policies: readonly CallingPolicySettings[], callee: Whereabouts, atMs: number): boolean {
  const trusts = callee.zone !== null && policies.every(({ trust_given_zone: trust }) => trust);
  const place = PLACES[callee.callee.slice(0, 5)];
  const zones = [...(trusts ? [] : (place?.zones ?? [])), ...(callee.zone === null ? [] : [callee.zone])];
  return policies.every((settings) => {
    const hasRule = Object.keys(settings.windows).length > 0 || settings.closed_days.length > 0;
    if (callee.isUnknown) return !hasRule;
    return zones.every((zone) => isOpenIn(settings, zone, place?.region ?? '', atMs));
  });
}

function isOpenIn({ windows, closed_days: days }: CallingPolicySettings, zone: string, region: string, atMs: number) {
  const here = new Date(atMs + (OFFSET_HOURS[zone] ?? NaN) * HOUR_MS);
  const [date = '', time = ''] = here.toISOString().split('T');
  if (days.includes(date)) return false;
  const day = DAYS[here.getUTCDay()] ?? 'sun';
  const rows = Object.entries(windows).filter(([key]) => key === 'default' || key === 'US' || key === region);
  return rows.every(([, week]) =>
    week[day].some((times) => times.slice(0, 5) <= time.slice(0, 5) && time.slice(0, 5) < times.slice(6)),
  );
}
