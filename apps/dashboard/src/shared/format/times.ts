const LOCALE = 'en-GB';

const dateTimes = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const exactTimes = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const clockTimes = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const dates = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const relatives = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** In the user's time zone: `20 Nov 2026, 14:26`. */
export function formatDateTime(iso: string): string {
  return dateTimes.format(new Date(iso));
}

/** The same with seconds, for tooltips and timelines. */
export function formatExactTime(iso: string): string {
  return exactTimes.format(new Date(iso));
}

export function formatClockTime(iso: string): string {
  return clockTimes.format(new Date(iso));
}

export function formatDate(iso: string): string {
  return dates.format(new Date(iso));
}

const UNITS = [
  { unit: 'year', seconds: 31_557_600 },
  { unit: 'month', seconds: 2_629_800 },
  { unit: 'week', seconds: 604_800 },
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3_600 },
  { unit: 'minute', seconds: 60 },
] as const;

/** `3 minutes ago`, `in 2 days`; below a minute `just now` or `in a moment`. */
export function formatRelative(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1_000;
  const fitting = UNITS.find((candidate) => Math.abs(seconds) >= candidate.seconds);
  if (fitting === undefined) return seconds > 0 ? 'in a moment' : 'just now';
  return relatives.format(Math.trunc(seconds / fitting.seconds), fitting.unit);
}
