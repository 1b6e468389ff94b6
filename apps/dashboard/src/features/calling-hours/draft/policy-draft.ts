import { POLICY_PACKS, WEEKDAYS, type CallingPolicySettings, type CallingWeek, type Weekday } from '@outdial/contracts';
import { z } from 'zod';
import { completeTime } from '../../../shared/forms/complete-time.ts';

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
