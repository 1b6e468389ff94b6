import { callingPolicySettingsSchema, WEEKDAYS, type CallingPolicySettings } from '@outdial/contracts';

/** A policy as a request writes it. */
export function policyWith(settings: object): CallingPolicySettings {
  return callingPolicySettingsSchema.parse(settings);
}

/** A row with the same times on each day. */
export function daily(...times: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, times]));
}

export const OPEN_WEEK = daily('00:00-24:00');
