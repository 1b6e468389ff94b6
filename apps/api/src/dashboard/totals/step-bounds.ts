import type { StepBounds } from '@outdial/persistence';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const HALF_HOUR_MS = HOUR_MS / 2;
/** A period of up to this many days is shown by the hour. */
const MAX_DAYS_BY_HOUR = 2;

export interface Steps {
  readonly step: 'hour' | 'day';
  readonly bounds: StepBounds;
}

/** Dates such as `2026-11-20`, in order; both are included. */
export interface DateSpan {
  readonly from: string;
  readonly to: string;
  /** An IANA name that this runtime knows. */
  readonly timeZone: string;
}

/** The number of days in a period, both ends included. */
export function daysOf({ from, to }: Pick<DateSpan, 'from' | 'to'>): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Null: a day of that zone does not begin on a half hour of UTC, by which calls are counted. */
export function stepBounds(span: DateSpan): Steps | null {
  const days = daysOf(span);
  const offsetMs = offsetReader(span.timeZone);
  const dayStarts = Array.from({ length: days + 1 }, (_, day) =>
    startOfDay(Date.parse(span.from) + day * DAY_MS, offsetMs),
  );
  if (dayStarts.some((ms) => ms % HALF_HOUR_MS !== 0)) return null;
  if (days > MAX_DAYS_BY_HOUR) return { step: 'day', bounds: asBounds(dayStarts) };
  const [startMs, endMs] = [dayStarts[0] ?? 0, dayStarts.at(-1) ?? 0];
  const hours = Math.ceil((endMs - startMs) / HOUR_MS);
  const hourStarts = Array.from({ length: hours }, (_, hour) => startMs + hour * HOUR_MS);
  return { step: 'hour', bounds: asBounds([...hourStarts, endMs]) };
}

function asBounds([first = 0, second = 0, ...rest]: readonly number[]): StepBounds {
  return [first, second, ...rest];
}

/** The offset of a zone from UTC at a moment. */
function offsetReader(timeZone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-u-ca-iso8601-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const clock = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    return clock - Math.floor(ms / 1_000) * 1_000;
  };
}

/**
 * The first moment of a date, given as midnight UTC of that date. Clocks may change in the night: the offset is read
 * again at the first guess. Where midnight is skipped, the day begins with the change.
 */
function startOfDay(midnightMs: number, offsetMs: (ms: number) => number): number {
  const guesses = [midnightMs - offsetMs(midnightMs - DAY_MS / 2), midnightMs - offsetMs(midnightMs + DAY_MS / 2)];
  const [early, late] = [Math.min(...guesses), Math.max(...guesses)];
  return early + offsetMs(early) >= midnightMs ? early : late;
}
