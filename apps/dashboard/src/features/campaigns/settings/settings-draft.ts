import {
  endedReasons,
  MOVABLE_CAMPAIGN_FIELDS,
  updateCampaignSchema,
  WEEKDAYS,
  type CampaignBody,
  type EndedReason,
  type Weekday,
} from '@outdial/contracts';
import { toLocalTime, toOffsetTime } from '../../../shared/format/zone.ts';
import { completeTime } from '../../../shared/forms/complete-time.ts';
import { validateBy, type FieldErrors } from '../../../shared/forms/field-errors.ts';

type Numeric = number | string;

/** The settings of a campaign as the form has them. Empty texts are what is not set; times are local. */
export interface SettingsDraft {
  readonly name: string;
  readonly calls_per_second: Numeric;
  readonly max_concurrent: Numeric;
  readonly weight: Numeric;
  readonly budget: Numeric;
  readonly ends_at: string;
  readonly window: {
    readonly is_on: boolean;
    readonly time_zone: string;
    /** `09:00-12:00, 13:00-17:00`. */
    readonly days: Readonly<Record<Weekday, string>>;
  };
  readonly agent_id: string;
  readonly from_number: string;
  readonly starts_at: string;
  readonly default_country: string;
  readonly retry: {
    readonly is_on: boolean;
    readonly max_attempts: Numeric;
    readonly on: readonly EndedReason[];
    /** Minutes before each further call: `15, 60`. */
    readonly minutes: string;
  };
  readonly max_duration_seconds: Numeric;
  readonly ring_timeout_seconds: Numeric;
  readonly webhook_url: string;
}

const USUAL_RETRY = {
  max_attempts: 3,
  on: ['busy', 'no_answer', 'carrier_unavailable'] as const,
  after_seconds: [900, 3_600, 14_400],
};
const WORKDAY = '09:00-17:00';

export function settingsDraftOf(campaign: CampaignBody, userZone: string): SettingsDraft {
  const { window, retry, ends_at: endsAt, starts_at: startsAt } = campaign;
  const {
    max_attempts: most,
    on = USUAL_RETRY.on,
    after_seconds: waits = USUAL_RETRY.after_seconds,
  } = retry ?? USUAL_RETRY;
  const days = (day: Weekday) => {
    if (window !== null) return window.days[day].join(', ');
    return day === 'sat' || day === 'sun' ? '' : WORKDAY;
  };
  return {
    name: campaign.name,
    calls_per_second: campaign.calls_per_second ?? '',
    max_concurrent: campaign.max_concurrent ?? '',
    weight: campaign.weight,
    budget: campaign.budget ?? '',
    ends_at: endsAt === null ? '' : toLocalTime(endsAt),
    window: { is_on: window !== null, time_zone: window?.time_zone ?? userZone, days: weekOf(days) },
    agent_id: campaign.agent_id,
    from_number: campaign.from_number ?? '',
    starts_at: startsAt === null ? '' : toLocalTime(startsAt),
    default_country: campaign.default_country ?? '',
    retry: {
      is_on: retry !== null,
      max_attempts: most,
      on: endedReasons.filter((reason) => on.some((known) => known === reason)),
      minutes: waits.map((seconds) => seconds / 60).join(', '),
    },
    max_duration_seconds: campaign.max_duration_seconds ?? '',
    ring_timeout_seconds: campaign.ring_timeout_seconds ?? '',
    webhook_url: campaign.webhook_url ?? '',
  };
}

function weekOf<Value>(of: (day: Weekday) => Value): Record<Weekday, Value> {
  return {
    mon: of('mon'),
    tue: of('tue'),
    wed: of('wed'),
    thu: of('thu'),
    fri: of('fri'),
    sat: of('sat'),
    sun: of('sun'),
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
    window: window.is_on ? { time_zone: window.time_zone, days: weekOf((day) => timesOf(window.days[day])) } : null,
    agent_id: draft.agent_id,
    from_number: textOrNull(draft.from_number),
    starts_at: timeOrNull(draft.starts_at),
    default_country: textOrNull(draft.default_country.toUpperCase()),
    retry: retry.is_on
      ? {
          max_attempts: numberOrNull(retry.max_attempts),
          on: retry.on,
          after_seconds: listOf(retry.minutes).map((minutes) => Number(minutes) * 60),
        }
      : null,
    max_duration_seconds: numberOrNull(draft.max_duration_seconds),
    ring_timeout_seconds: numberOrNull(draft.ring_timeout_seconds),
    webhook_url: textOrNull(draft.webhook_url),
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
  for (const [path, message] of Object.entries(errorsOf(changedFields(draft, before)))) {
    errors[settingsPath(path)] ??= message;
  }
  return errors;
}

/** The form's field of a path of the request: a day is one text, and so are the waits of retries. */
export function settingsPath(path: string): string {
  if (path === 'window.days') return 'window.time_zone';
  if (path.startsWith('retry.after_seconds')) return 'retry.minutes';
  if (path.startsWith('retry.on')) return 'retry.on';
  if (path === 'retry') return 'retry.max_attempts';
  return WEEKDAYS.reduce((found, day) => (path.startsWith(`window.days.${day}`) ? `window.days.${day}` : found), path);
}

/** What may be changed in this state. */
export function maySet(state: CampaignBody['state'], field: string): boolean {
  if (state === 'draft' || state === 'paused') return true;
  return (state === 'running' || state === 'scheduled') && MOVABLE_CAMPAIGN_FIELDS.includes(field);
}

const textOrNull = (text: string) => (text.trim() === '' ? null : text.trim());
const numberOrNull = (value: Numeric) => (value === '' ? null : Number(value));
const timeOrNull = (text: string) => (text === '' ? null : (toOffsetTime(text) ?? text));
const listOf = (text: string) =>
  text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
const timesOf = (text: string) => listOf(text).map(completeTime);
