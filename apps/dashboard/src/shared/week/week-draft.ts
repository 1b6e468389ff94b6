import { WEEKDAYS, type CallingWeek, type Weekday } from '@outdial/contracts';
import { z } from 'zod';

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

const TIME = /^(\d{1,2})(?:[:.]?(\d\d))?\s*(?:-|–|—|to|until)\s*(\d{1,2})(?:[:.]?(\d\d))?$/i;

/** `8-21`, `8:00 – 21:00` and `0800-2100` as the API has them. Another text stays, and is an error. */
export function completeTime(text: string): string {
  const found = TIME.exec(text.trim());
  if (found === null) return text.trim();
  const [, fromHour = '', fromMinute = '00', toHour = '', toMinute = '00'] = found;
  return `${fromHour.padStart(2, '0')}:${fromMinute}-${toHour.padStart(2, '0')}:${toMinute}`;
}
