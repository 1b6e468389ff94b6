import { POLICY_PACKS, type CallingPolicySettings } from '@outdial/contracts';
import { z } from 'zod';
import { USUAL_WEEK, weekDraftOf, weekDraftSchema, weekSettingsOf } from '../../../shared/week/week-draft.ts';

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

/** NaN for an empty field, which no schema accepts. */
function numberOf(value: number | string): number {
  return typeof value === 'number' ? value : Number.parseFloat(value);
}

/** ISO 3166 is written in capitals. */
export function regionCode(text: string): string {
  return text.trim().toUpperCase();
}
