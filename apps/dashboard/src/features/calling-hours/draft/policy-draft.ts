import { POLICY_PACKS, WEEKDAYS, type CallingPolicySettings, type CallingWeek, type Weekday } from '@outdial/contracts';
import { z } from 'zod';

const times = z.array(z.string());
const weekDraftSchema = z.object({
  mon: times,
  tue: times,
  wed: times,
  thu: times,
  fri: times,
  sat: times,
  sun: times,
});
const numeric = z.union([z.number(), z.string()]);

/** A calling policy as the form holds it. Times are texts, as the user types them. */
export const policyDraftSchema = z.object({
  pack: z.enum(POLICY_PACKS).nullable(),
  /** The row `default`. Off: every hour is open where no region says otherwise. */
  everywhere: z.object({ is_on: z.boolean(), week: weekDraftSchema }),
  regions: z.array(z.object({ region: z.string(), week: weekDraftSchema })),
  closed_days: z.array(z.string()),
  caps: z.array(z.object({ hours: numeric, max: numeric })),
  trust_given_zone: z.boolean(),
});
export type PolicyDraft = z.output<typeof policyDraftSchema>;
export type WeekDraft = z.output<typeof weekDraftSchema>;

/** The days of a week, each with what `of` makes of it. */
export function weekOf<Times extends readonly string[]>(of: (day: Weekday) => Times): Record<Weekday, Times> {
  const [mon, tue, wed, thu, fri, sat, sun] = WEEKDAYS.map(of);
  if (!mon || !tue || !wed || !thu || !fri || !sat || !sun) throw new Error('a week has seven days');
  return { mon, tue, wed, thu, fri, sat, sun };
}

/** What the first row of hours begins with. */
export const USUAL_WEEK: CallingWeek = weekOf(() => ['08:00-21:00']);

export function policyDraftOf({
  pack,
  windows,
  closed_days: days,
  caps,
  trust_given_zone,
}: CallingPolicySettings): PolicyDraft {
  const { default: everywhere, ...regions } = windows;
  return {
    pack,
    everywhere: { is_on: everywhere !== undefined, week: weekDraftOf(everywhere ?? USUAL_WEEK) },
    regions: Object.entries(regions).map(([region, week]) => ({ region, week: weekDraftOf(week) })),
    closed_days: [...days],
    caps: caps.map((cap) => ({ ...cap })),
    trust_given_zone,
  };
}

function weekDraftOf(week: CallingWeek): WeekDraft {
  return weekOf((day) => [...week[day]]);
}

/** The inverse, without validation: what the form would send. */
export function policySettingsOf(draft: PolicyDraft): CallingPolicySettings {
  const { pack, everywhere, regions, closed_days: days, caps, trust_given_zone } = draft;
  return {
    pack,
    windows: {
      ...(everywhere.is_on ? { default: weekSettingsOf(everywhere.week) } : {}),
      ...Object.fromEntries(regions.map(({ region, week }) => [regionCode(region), weekSettingsOf(week)])),
    },
    closed_days: days.toSorted(),
    caps: caps.map(({ hours, max }) => ({ hours: numberOf(hours), max: numberOf(max) })),
    trust_given_zone,
  };
}

function weekSettingsOf(week: WeekDraft): CallingPolicySettings['windows'][string] {
  return weekOf((day) => week[day].map(completeTime));
}

/** NaN for an empty field, which no schema accepts. */
function numberOf(value: number | string): number {
  return typeof value === 'number' ? value : Number.parseFloat(value);
}

/** ISO 3166 is written in capitals. */
export function regionCode(text: string): string {
  return text.trim().toUpperCase();
}

const TIME = /^(\d{1,2})(?:[:.]?(\d\d))?\s*(?:-|–|—|to|until)\s*(\d{1,2})(?:[:.]?(\d\d))?$/i;

/** `8-21`, `8:00 – 21:00` and `0800-2100` as the API has them. Another text stays, and is an error. */
export function completeTime(text: string): string {
  const found = TIME.exec(text.trim());
  if (found === null) return text.trim();
  const [, fromHour = '', fromMinute = '00', toHour = '', toMinute = '00'] = found;
  return `${fromHour.padStart(2, '0')}:${fromMinute}-${toHour.padStart(2, '0')}:${toMinute}`;
}
