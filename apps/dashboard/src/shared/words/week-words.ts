import { WEEKDAYS, type CallingWeek, type Weekday } from '@outdial/contracts';

export const WEEKDAY_NAMES: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Days in a row, and their times. */
export interface DaySpan {
  readonly from: Weekday;
  readonly to: Weekday;
  readonly times: readonly string[];
}

/** `Mon–Fri 08:00–21:00, Sat 09:00–12:00 and 14:00–18:00, closed on Sun`. */
export function weekWords(week: CallingWeek): string {
  const open = spansOf(week).filter(({ times }) => times.length > 0);
  const closed = spansOf(week).filter(({ times }) => times.length === 0);
  if (open.length === 0) return 'closed every day';
  const words = open.map((span) => `${daysOf(span)} ${span.times.map(timeWords).join(' and ')}`);
  return closed.length === 0 ? words.join(', ') : [...words, `closed on ${closed.map(daysOf).join(', ')}`].join(', ');
}

/** `08:00-21:00` for people. */
function timeWords(time: string): string {
  return time === '00:00-24:00' ? 'all day' : time.replace('-', '–');
}

/** A week as days in a row with the same times. */
export function spansOf(week: CallingWeek): readonly DaySpan[] {
  const spans: DaySpan[] = [];
  for (const day of WEEKDAYS) {
    const last = spans.at(-1);
    const times = week[day];
    if (last !== undefined && last.times.join() === times.join()) spans[spans.length - 1] = { ...last, to: day };
    else spans.push({ from: day, to: day, times });
  }
  return spans;
}

function daysOf({ from, to }: DaySpan): string {
  if (from === to) return short(from);
  return from === 'mon' && to === 'sun' ? 'every day' : `${short(from)}–${short(to)}`;
}

const short = (day: Weekday) => WEEKDAY_NAMES[day].slice(0, 3);
