import { MOVABLE_CAMPAIGN_FIELDS, updateCampaignSchema, type CampaignBody } from '@outdial/contracts';
import { z } from 'zod';
import { toLocalTime, toOffsetTime } from '../../../shared/format/zone.ts';
import { validateBy, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import { retryDraftOf, retryOf, type RetryDraft } from '../../../shared/retry/retry-draft.ts';
import { weekDraftOf, weekOf, weekSettingsOf, type WeekDraft } from '../../../shared/week/week-draft.ts';

type Numeric = number | string;

/** The settings of a campaign as the form has them. Empty texts are what is not set; times are local. */
export interface SettingsDraft {
  readonly name: string;
  readonly calls_per_second: Numeric;
  readonly max_concurrent: Numeric;
  readonly weight: Numeric;
  readonly budget: Numeric;
  readonly ends_at: string;
  readonly window: { readonly is_on: boolean; readonly time_zone: string; readonly week: WeekDraft };
  readonly agent_id: string;
  readonly from_number: string;
  readonly starts_at: string;
  readonly default_country: string;
  readonly retry: RetryDraft;
  readonly max_duration_seconds: Numeric;
  readonly ring_timeout_seconds: Numeric;
  readonly webhook_url: string;
  /** JSON objects; empty: none. */
  readonly columns: string;
  readonly metadata: string;
}

/** What the hours begin with. */
const OFFICE_HOURS = weekOf((day) => (day === 'sat' || day === 'sun' ? [] : ['09:00-17:00']));

export function settingsDraftOf(campaign: CampaignBody, userZone: string): SettingsDraft {
  const { window, ends_at: endsAt, starts_at: startsAt } = campaign;
  return {
    name: campaign.name,
    calls_per_second: campaign.calls_per_second ?? '',
    max_concurrent: campaign.max_concurrent ?? '',
    weight: campaign.weight,
    budget: campaign.budget ?? '',
    ends_at: endsAt === null ? '' : toLocalTime(endsAt),
    window: {
      is_on: window !== null,
      time_zone: window?.time_zone ?? userZone,
      week: weekDraftOf(window?.days ?? OFFICE_HOURS),
    },
    agent_id: campaign.agent_id,
    from_number: campaign.from_number ?? '',
    starts_at: startsAt === null ? '' : toLocalTime(startsAt),
    default_country: campaign.default_country ?? '',
    retry: retryDraftOf(campaign.retry),
    max_duration_seconds: campaign.max_duration_seconds ?? '',
    ring_timeout_seconds: campaign.ring_timeout_seconds ?? '',
    webhook_url: campaign.webhook_url ?? '',
    columns: textOfJson(campaign.columns),
    metadata: textOfJson(campaign.metadata),
  };
}

/** Every field as a request has it, before its check. */
function fieldsOf(draft: SettingsDraft): Readonly<Record<string, unknown>> {
  const { window, retry } = draft;
  return {
    name: draft.name,
    calls_per_second: numberOrNull(draft.calls_per_second),
    max_concurrent: numberOrNull(draft.max_concurrent),
    weight: numberOrNull(draft.weight),
    budget: numberOrNull(draft.budget),
    ends_at: timeOrNull(draft.ends_at),
    window: window.is_on ? { time_zone: window.time_zone.trim(), days: weekSettingsOf(window.week) } : null,
    agent_id: draft.agent_id,
    from_number: textOrNull(draft.from_number),
    starts_at: timeOrNull(draft.starts_at),
    default_country: textOrNull(draft.default_country.toUpperCase()),
    retry: retry.is_on ? retryOf(retry) : null,
    max_duration_seconds: numberOrNull(draft.max_duration_seconds),
    ring_timeout_seconds: numberOrNull(draft.ring_timeout_seconds),
    webhook_url: textOrNull(draft.webhook_url),
    columns: jsonOf(draft.columns),
    metadata: jsonOf(draft.metadata),
  };
}

/** The fields that differ from what the campaign has. */
export function changedFields(draft: SettingsDraft, before: SettingsDraft): Readonly<Record<string, unknown>> {
  const [fields, old] = [fieldsOf(draft), fieldsOf(before)];
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name])),
  );
}

const errorsOf = validateBy(updateCampaignSchema);

/** What the API would say of the changes, by the form's fields. */
export function settingsErrors(draft: SettingsDraft, before: SettingsDraft): FieldErrors {
  const errors: FieldErrors = {};
  for (const name of ['columns', 'metadata'] as const)
    if (!jsonObject.safeParse(jsonOf(draft[name])).success) errors[name] = 'must be a JSON object';
  for (const [path, message] of Object.entries(errorsOf(changedFields(draft, before)))) {
    errors[settingsPath(path)] ??= message;
  }
  return errors;
}

/** The form's field of a path of the request. Outcomes and waits of retries are one field each, and so is each JSON object. */
export function settingsPath(path: string): string {
  const object = /^(?:columns|metadata)(?=\.)/.exec(path);
  if (object !== null) return object[0];
  const list = /^retry\.(?:on|after_seconds)(?=\.)/.exec(path);
  return list === null ? path.replace(/^window\.days/, 'window.week') : list[0];
}

/** What may be changed in this state. */
export function maySet(state: CampaignBody['state'], field: string): boolean {
  if (state === 'draft' || state === 'paused') return true;
  return (state === 'running' || state === 'scheduled') && MOVABLE_CAMPAIGN_FIELDS.includes(field);
}

const jsonObject = z.record(z.string(), z.unknown());

function textOfJson(value: object): string {
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
}

/** What is no JSON stays a text: no object. */
function jsonOf(text: string): unknown {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());
const numberOrNull = (value: Numeric) => (value === '' ? null : Number(value));
const timeOrNull = (text: string) => (text === '' ? null : (toOffsetTime(text) ?? text));
