import type { CallingWeek } from '@outdial/contracts';
import { cityOf } from '../../../../shared/format/zone-city.ts';
import { spansOf, WEEKDAY_NAMES, type DaySpan } from '../../../../shared/words/week-words.ts';

const both = new Intl.ListFormat('en', { type: 'conjunction' });

/** `Monday to Friday 9:00–17:00 and Saturday 10:00–12:00 New York time`. */
export function hoursWords(week: CallingWeek, zone: string): string {
  const open = spansOf(week).filter(({ times }) => times.length > 0);
  return `${both.format(open.map((span) => `${daysOf(span)} ${both.format(span.times.map(timeWords))}`))} ${zoneWord(zone)}`;
}

/** `New York time`. */
export function zoneWord(zone: string): string {
  return zone.includes('/') ? `${cityOf(zone)} time` : zone;
}

function daysOf({ from, to }: DaySpan): string {
  if (from === to) return WEEKDAY_NAMES[from];
  return from === 'mon' && to === 'sun' ? 'every day' : `${WEEKDAY_NAMES[from]} to ${WEEKDAY_NAMES[to]}`;
}

function timeWords(time: string): string {
  if (time === '00:00-24:00') return 'all day';
  return time
    .split('-')
    .map((text) => text.replace(/^0/, ''))
    .join('–');
}
