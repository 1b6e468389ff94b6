import type { OverviewSearch, Range } from './search.ts';

const DAY_MS = 86_400_000;
const DEFAULT_RANGE: Range = '7-days';
const DAYS = { today: 1, '7-days': 7, '30-days': 30, '90-days': 90 } as const;

/** Dates as `2026-11-20`, both inclusive. */
export interface Span {
  readonly range: Range;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

export interface BrowserZone {
  readonly timeZone: string;
  /** The service counts by half hours. A zone with another offset is shown in UTC. */
  readonly isUsable: boolean;
}

export function browserZone(): BrowserZone {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return { timeZone, isUsable: new Date().getTimezoneOffset() % 30 === 0 };
}

/** The time range that the URL asks for. An incomplete custom range ends today. */
export function spanOf(search: OverviewSearch, zone: BrowserZone, nowMs: number): Span {
  const timeZone = search.zone === 'utc' || !zone.isUsable ? 'UTC' : zone.timeZone;
  const today = dateIn(timeZone, nowMs);
  const range = search.range ?? DEFAULT_RANGE;
  if (range === 'custom') {
    const to = search.to ?? today;
    return { range, from: search.from ?? daysBefore(to, 6), to, timeZone };
  }
  return { range, from: daysBefore(today, DAYS[range] - 1), to: today, timeZone };
}

function daysBefore(date: string, days: number): string {
  return new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10);
}

function dateIn(timeZone: string, ms: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);
}

/** Labels a step: `14:00` within one day, `20 Nov 14:00` over several, `20 Nov` for a whole day. */
export function stepLabels({ from, to, timeZone }: Span, step: 'hour' | 'day'): (startsAt: string) => string {
  const hour = { hour: '2-digit', minute: '2-digit' } as const;
  const day = { day: 'numeric', month: 'short' } as const;
  const parts = step === 'day' ? day : from === to ? hour : { ...day, ...hour };
  const format = new Intl.DateTimeFormat('en-GB', { ...parts, timeZone });
  return (startsAt) => format.format(new Date(startsAt));
}
