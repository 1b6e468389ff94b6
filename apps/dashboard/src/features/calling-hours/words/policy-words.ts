import { WEEKDAYS, type AttemptCap, type CallingPolicySettings, type CallingWeek } from '@outdial/contracts';
import { regionName } from './regions.ts';
import { weekWords } from '../../../shared/words/week-words.ts';

const names = new Intl.ListFormat('en-GB', { type: 'conjunction' });
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/**
 * What the rules mean, in sentences.
 * @param today of the user, `YYYY-MM-DD`.
 */
export function policySentences(settings: CallingPolicySettings, today: string): readonly string[] {
  return [
    ...hoursSentences(settings),
    ...closedDaysSentences(settings.closed_days, today),
    ...settings.caps.map(capSentence),
    ...(settings.trust_given_zone
      ? ['A time zone that is given with a call is taken instead of those of the number.']
      : []),
  ];
}

function hoursSentences({ windows }: CallingPolicySettings): readonly string[] {
  const { default: everywhere, ...regions } = windows;
  const sentences =
    everywhere === undefined
      ? [Object.keys(regions).length === 0 ? 'Every hour is open.' : 'Every hour is open except in some regions.']
      : [`${capitalize(weekWords(everywhere))}, by the callee’s clock.`];
  const regionsByWords = new Map<string, string[]>();
  for (const [region, week] of Object.entries(regions)) {
    const words = regionWords(week, everywhere);
    regionsByWords.set(words, [...(regionsByWords.get(words) ?? []), regionName(region)]);
  }
  return [...sentences, ...[...regionsByWords].map(([words, places]) => `${names.format(places)} ${words}.`)];
}

/** What the row of a region adds to the default: most of them only end the day earlier. */
function regionWords(week: CallingWeek, everywhere: CallingWeek | undefined): string {
  const [narrow, wide] = [sameTime(week), everywhere === undefined ? null : sameTime(everywhere)];
  if (narrow !== null && wide !== null) {
    if (narrow.from === wide.from && narrow.to < wide.to) return `only until ${narrow.to}`;
    if (narrow.to === wide.to && narrow.from > wide.from) return `only from ${narrow.from}`;
  }
  return `only ${weekWords(week)}`;
}

interface TimeOfDay {
  readonly from: string;
  readonly to: string;
}

/** The one time that every day has. Null: the days differ. */
function sameTime(week: CallingWeek): TimeOfDay | null {
  const [first] = week.mon;
  const isSame = first !== undefined && WEEKDAYS.every((day) => week[day].length === 1 && week[day][0] === first);
  return isSame ? { from: first.slice(0, 5), to: first.slice(6) } : null;
}

function closedDaysSentences(days: readonly string[], today: string): readonly string[] {
  if (days.length === 0) return [];
  const next = days.filter((day) => day >= today).toSorted()[0];
  const count = days.length === 1 ? '1 date' : `${days.length} dates`;
  return [`No calls on ${count}${next === undefined ? ', all of them past' : `, next on ${dateWords(next)}`}.`];
}

/** `25 Dec 2026`. */
export function dateWords(day: string): string {
  return dates.format(new Date(`${day}T00:00:00Z`));
}

function capSentence({ hours, max }: AttemptCap): string {
  return `At most ${max === 1 ? '1 call' : `${max} calls`} to a number in ${periodWords(hours)}.`;
}

const DAY_HOURS = 24;

function periodWords(hours: number): string {
  if (hours > DAY_HOURS && hours % DAY_HOURS === 0) return `${hours / DAY_HOURS} days`;
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface PolicyChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** The sentences that one policy has and the other has not. */
export function policyChanges(
  before: CallingPolicySettings,
  after: CallingPolicySettings,
  today: string,
): PolicyChanges {
  const [old, now] = [policySentences(before, today), policySentences(after, today)];
  return {
    added: now.filter((sentence) => !old.includes(sentence)),
    removed: old.filter((sentence) => !now.includes(sentence)),
  };
}
