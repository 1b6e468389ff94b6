import type { AgentSummaryBody, CampaignBody } from '@outdial/contracts';
import { z } from 'zod';
import { toLocalTime, toOffsetTime } from '../../../../shared/format/zone.ts';
import { NO_RETRY, retryDraftOf, retryDraftSchema, retryOf } from '../../../../shared/retry/retry-draft.ts';
import { weekDraftOf, weekDraftSchema, weekOf, weekSettingsOf } from '../../../../shared/week/week-draft.ts';
import { columnsOf, contactsDraftOf, contactsDraftSchema, NO_CONTACTS } from './contacts-draft.ts';

const numeric = z.union([z.number(), z.string()]);

/** A campaign as the form has it. Times are local, without a zone; an empty number is no bound. */
export const campaignDraftSchema = z.object({
  name: z.string(),
  agent_id: z.string(),
  /** Empty: the account's default number. */
  from_number: z.string(),
  contacts: contactsDraftSchema,
  when: z.enum(['now', 'later']),
  starts_at: z.string(),
  ends_at: z.string(),
  window: z.object({ is_on: z.boolean(), time_zone: z.string(), week: weekDraftSchema }).readonly(),
  calls_per_second: numeric,
  max_concurrent: numeric,
  weight: numeric,
  retry: retryDraftSchema,
  budget: numeric,
});
export type CampaignDraft = Readonly<z.output<typeof campaignDraftSchema>>;

const OFFICE_HOURS = weekOf((day) => (day === 'sat' || day === 'sun' ? [] : ['09:00-17:00']));

const noWindow = (zone: string): CampaignDraft['window'] => ({
  is_on: false,
  time_zone: zone,
  week: weekDraftOf(OFFICE_HOURS),
});

/** What a new campaign begins with. */
export function newDraft(agents: readonly AgentSummaryBody[], zone: string): CampaignDraft {
  const usable = agents.filter(({ problem }) => problem === null);
  return {
    name: '',
    agent_id: usable.length === 1 ? (usable[0]?.id ?? '') : '',
    from_number: '',
    contacts: NO_CONTACTS,
    when: 'now',
    starts_at: '',
    ends_at: '',
    window: noWindow(zone),
    calls_per_second: '',
    max_concurrent: '',
    weight: 10,
    retry: NO_RETRY,
    budget: '',
  };
}

/** A draft that exists, to be changed. */
export function draftOf(campaign: CampaignBody, zone: string): CampaignDraft {
  const { window, starts_at: startsAt, ends_at: endsAt } = campaign;
  return {
    name: campaign.name,
    agent_id: campaign.agent_id,
    from_number: campaign.from_number ?? '',
    contacts: contactsDraftOf(campaign.columns, campaign.default_country),
    when: startsAt === null ? 'now' : 'later',
    starts_at: startsAt === null ? '' : toLocalTime(startsAt),
    ends_at: endsAt === null ? '' : toLocalTime(endsAt),
    window:
      window === null ? noWindow(zone) : { is_on: true, time_zone: window.time_zone, week: weekDraftOf(window.days) },
    calls_per_second: campaign.calls_per_second ?? '',
    max_concurrent: campaign.max_concurrent ?? '',
    weight: campaign.weight,
    retry: retryDraftOf(campaign.retry),
    budget: campaign.budget ?? '',
  };
}

const given = <Value>(value: Value): Value | null => (value === '' ? null : value);

/** The inverse, without validation: what the form would send. */
export function settingsOf(draft: CampaignDraft) {
  const { window, retry } = draft;
  return {
    name: draft.name.trim(),
    agent_id: draft.agent_id,
    from_number: given(draft.from_number),
    columns: columnsOf(draft.contacts),
    default_country: given(draft.contacts.default_country),
    starts_at: draft.when === 'later' ? (toOffsetTime(draft.starts_at) ?? null) : null,
    ends_at: toOffsetTime(draft.ends_at) ?? null,
    window: window.is_on ? { time_zone: window.time_zone.trim(), days: weekSettingsOf(window.week) } : null,
    calls_per_second: given(draft.calls_per_second),
    max_concurrent: given(draft.max_concurrent),
    // An empty field is missing, and no text.
    weight: draft.weight === '' ? undefined : draft.weight,
    retry: retry.is_on ? retryOf(retry) : null,
    budget: given(draft.budget),
  };
}
