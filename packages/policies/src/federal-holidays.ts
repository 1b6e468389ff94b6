import { DAY_MS } from './time-units.ts';

const [SUNDAY, MONDAY, THURSDAY, SATURDAY] = [0, 1, 4, 6];

/** The eleven holidays of 5 U.S.C. 6103(a), in the form that they have since 2021. */
const HOLIDAYS: readonly ((year: number) => Date)[] = [
  (year) => dateOf(year, 1, 1),
  // Martin Luther King, Washington.
  (year) => nthWeekday(year, 1, MONDAY, 3),
  (year) => nthWeekday(year, 2, MONDAY, 3),
  // Memorial Day: seven days before the first Monday of June.
  (year) => daysAfter(nthWeekday(year, 6, MONDAY, 1), -7),
  // Juneteenth, Independence, Labor.
  (year) => dateOf(year, 6, 19),
  (year) => dateOf(year, 7, 4),
  (year) => nthWeekday(year, 9, MONDAY, 1),
  // Columbus, Veterans, Thanksgiving, Christmas.
  (year) => nthWeekday(year, 10, MONDAY, 2),
  (year) => dateOf(year, 11, 11),
  (year) => nthWeekday(year, 11, THURSDAY, 4),
  (year) => dateOf(year, 12, 25),
];

/**
 * The federal holidays of the United States in those calendar years, in order: each date, and the Friday or Monday on
 * which one of a weekend is observed. New Year may be observed in the year before.
 */
export function usFederalHolidays(fromYear: number, years: number): readonly string[] {
  const dates = new Set<string>();
  for (let year = fromYear; year <= fromYear + years; year += 1) {
    for (const holiday of HOLIDAYS) {
      const date = holiday(year);
      dates.add(isoDate(date)).add(isoDate(observedOn(date)));
    }
  }
  const [first, end] = [isoDate(dateOf(fromYear, 1, 1)), isoDate(dateOf(fromYear + years, 1, 1))];
  return [...dates].filter((date) => date >= first && date < end).toSorted();
}

function observedOn(date: Date): Date {
  if (date.getUTCDay() === SATURDAY) return daysAfter(date, -1);
  return date.getUTCDay() === SUNDAY ? daysAfter(date, 1) : date;
}

function nthWeekday(year: number, month: number, weekday: number, nth: number): Date {
  const first = dateOf(year, month, 1);
  const daysToWeekday = (weekday - first.getUTCDay() + 7) % 7;
  return daysAfter(first, daysToWeekday + 7 * (nth - 1));
}

function dateOf(year: number, month: number, day: number): Date {
  return new Date(Date.UTC(year, month - 1, day));
}

function daysAfter(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}
