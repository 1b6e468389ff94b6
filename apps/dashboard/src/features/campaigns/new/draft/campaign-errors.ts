import { createCampaignSchema, WEEKDAYS } from '@outdial/contracts';
import { clockZoneNamed } from '@outdial/numbering';
import { ApiError, type ApiErrorCode } from '../../../../shared/api/api-error.ts';
import { fieldErrorsOf, validateBy, type FieldErrors } from '../../../../shared/forms/field-errors.ts';
import { toOffsetTime } from '../../../../shared/format/zone.ts';
import { settingsOf, type CampaignDraft } from './campaign-draft.ts';

const errorsOfSettings = validateBy(createCampaignSchema);

/** What the API would say of the settings, by the form's fields. `useContacts` judges the contacts. */
export function campaignErrors(draft: CampaignDraft, nowMs: number): FieldErrors {
  const errors: FieldErrors = {};
  for (const [path, message] of Object.entries(errorsOfSettings(settingsOf(draft))))
    errors[campaignPath(path)] ??= message;
  if (draft.agent_id === '') errors['agent_id'] = 'Choose an agent';
  // Times that cannot be read have no order.
  for (const path of Object.keys(errors)) {
    if (/^window\.week\.\w+$/.test(path) && Object.keys(errors).some((other) => other.startsWith(`${path}.`)))
      delete errors[path];
  }
  return { ...windowErrors(draft), ...timeErrors(draft, nowMs), ...errors };
}

function windowErrors({ window }: CampaignDraft): FieldErrors {
  if (!window.is_on) return {};
  const isClosed = WEEKDAYS.every((day) => window.week[day].length === 0);
  return {
    ...(clockZoneNamed(window.time_zone.trim()) === null && {
      'window.time_zone': 'Must be a time zone of the IANA database, like America/Denver',
    }),
    ...(isClosed && { 'window.week': 'Must have at least one hour in which it calls' }),
  };
}

function timeErrors({ when, starts_at: start, ends_at: end }: CampaignDraft, nowMs: number): FieldErrors {
  const startsAt = when === 'later' ? toOffsetTime(start) : undefined;
  const endsAt = toOffsetTime(end);
  const errors: FieldErrors = {};
  if (when === 'later' && startsAt === undefined) errors['starts_at'] = 'Choose a date and time';
  if (endsAt === undefined) return errors;
  if (Date.parse(endsAt) <= nowMs) errors['ends_at'] = 'Must be in the future';
  else if (startsAt !== undefined && Date.parse(endsAt) <= Date.parse(startsAt))
    errors['ends_at'] = 'Must be after the start';
  return errors;
}

/** The form's field of a path of the settings. */
function campaignPath(path: string): string {
  const [first = '', ...rest] = path.split('.');
  if (first === 'columns') return ['contacts', ...rest].join('.');
  if (first === 'default_country') return 'contacts.default_country';
  if (first === 'window' && rest[0] === 'days') return ['window.week', ...rest.slice(1)].join('.');
  // The form has one field for all reasons, and one for all waits.
  if (first === 'retry') return [first, ...rest.slice(0, 1)].join('.');
  return path;
}

/** The service's words on these name no field. */
const FIELD_OF: Partial<Record<ApiErrorCode, string>> = {
  provider_not_configured: 'agent_id',
  model_not_priced: 'agent_id',
};

/** What the service refused, at the form's fields. */
export function refusedFields(error: unknown): FieldErrors {
  const field = error instanceof ApiError ? FIELD_OF[error.code] : undefined;
  if (error instanceof ApiError && field !== undefined) return { [field]: error.message };
  return Object.fromEntries(Object.entries(fieldErrorsOf(error)).map(([path, text]) => [campaignPath(path), text]));
}
