import { callingPolicySettingsSchema } from '@outdial/contracts';
import { validateBy, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import { policySettingsOf, regionCode, type PolicyDraft } from './policy-draft.ts';

const errorsOfSettings = validateBy(callingPolicySettingsSchema);

/** What the API would say of the draft, by the form's fields. */
export function policyErrors(draft: PolicyDraft): FieldErrors {
  const errors: FieldErrors = {};
  for (const [path, message] of Object.entries(errorsOfSettings(policySettingsOf(draft)))) {
    errors[policyPath(draft, path)] ??= message;
  }
  // Times that cannot be read have no order.
  for (const path of Object.keys(errors)) {
    if (/\.week\.\w+$/.test(path) && Object.keys(errors).some((other) => other.startsWith(`${path}.`)))
      delete errors[path];
  }
  // As one record they are one row, in which the last would win.
  const codes = draft.regions.map(({ region }) => regionCode(region));
  for (const [at, code] of codes.entries()) {
    if (code === '' || code === 'DEFAULT') errors[`regions.${at}.region`] = 'Choose a country or region';
    else if (codes.indexOf(code) < at) errors[`regions.${at}.region`] = 'This region has a row already';
  }
  return errors;
}

/** The form's field of a path of the settings: `windows.US-FL.mon.0` is in a list of the form. */
export function policyPath(draft: PolicyDraft, path: string): string {
  const [first = '', row = '', ...rest] = path.split('.');
  if (first === 'closed_days') return closedDayPath(draft, row);
  if (first !== 'windows') return path;
  if (row === 'default') return ['everywhere', 'week', ...rest].join('.');
  const at = draft.regions.findIndex(({ region }) => regionCode(region) === row);
  if (at < 0) return 'regions';
  return [`regions.${at}`, ...(rest.length === 0 ? ['region'] : ['week', ...rest])].join('.');
}

/** The settings have the days in order, and the form in that of the user. */
function closedDayPath({ closed_days: days }: PolicyDraft, place: string): string {
  const day = days.toSorted()[Number(place)];
  return place === '' || day === undefined ? 'closed_days' : `closed_days.${days.indexOf(day)}`;
}
