import { POLICY_LIMITS, WEEKDAYS, type Weekday } from '@outdial/contracts';
import { completeTime } from '../forms/complete-time.ts';
import { weekOf, type WeekDraft } from './week-draft.ts';

const WORKDAYS: readonly Weekday[] = WEEKDAYS.slice(0, 5);

export const COPY_TARGETS = {
  weekdays: { label: 'Copy to all weekdays', days: WORKDAYS },
  week: { label: 'Copy to every day', days: WEEKDAYS },
} as const;
export type CopyTarget = keyof typeof COPY_TARGETS;

/** The times of one day on other days too. */
export function copyDay(week: WeekDraft, from: Weekday, target: CopyTarget): WeekDraft {
  const days: readonly Weekday[] = COPY_TARGETS[target].days;
  return weekOf((day) => (days.includes(day) ? [...week[from]] : week[day]));
}

/** Another time of the day, after its last one. */
export function addTime(times: readonly string[]): string[] {
  const last = completeTime(times.at(-1) ?? '').slice(6);
  if (times.length === 0) return ['08:00-21:00'];
  const hour = Number(last.slice(0, 2)) + 1;
  return [...times, hour < 24 ? `${String(hour).padStart(2, '0')}:00-24:00` : ''];
}

export function isDayFull(times: readonly string[]): boolean {
  return times.length >= POLICY_LIMITS.intervalsADay;
}
