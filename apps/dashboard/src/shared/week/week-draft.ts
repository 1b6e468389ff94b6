import { WEEKDAYS, type CallingWeek, type Weekday } from '@outdial/contracts';
import { z } from 'zod';
import { completeTime } from '../forms/complete-time.ts';

const times = z.array(z.string());
/** The hours of a week as a form holds them: times are texts, as the user types them. */
export const weekDraftSchema = z.object({
  mon: times,
  tue: times,
  wed: times,
  thu: times,
  fri: times,
  sat: times,
  sun: times,
});
export type WeekDraft = z.output<typeof weekDraftSchema>;

/** The days of a week, each with what `of` makes of it. */
export function weekOf<Times extends readonly string[]>(of: (day: Weekday) => Times): Record<Weekday, Times> {
  const [mon, tue, wed, thu, fri, sat, sun] = WEEKDAYS.map(of);
  if (!mon || !tue || !wed || !thu || !fri || !sat || !sun) throw new Error('a week has seven days');
  return { mon, tue, wed, thu, fri, sat, sun };
}

/** What the first row of hours begins with. */
export const USUAL_WEEK: CallingWeek = weekOf(() => ['08:00-21:00']);

export function weekDraftOf(week: CallingWeek): WeekDraft {
  return weekOf((day) => [...week[day]]);
}

/** The inverse, without validation. */
export function weekSettingsOf(week: WeekDraft): CallingWeek {
  return weekOf((day) => week[day].map(completeTime));
}
