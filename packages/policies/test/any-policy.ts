import { callingPolicySettingsSchema, WEEKDAYS, type CallingPolicySettings } from '@outdial/contracts';
import * as fc from 'fast-check';

/** Most faults are at midnight and where clocks change. */
const minute = fc.oneof(
  fc.constantFrom(0, 30, 60, 90, 120, 121, 150, 165, 180, 210, 1380, 1439, 1440),
  fc.integer({ min: 0, max: 1440 }),
);

const times = fc
  .uniqueArray(minute, { minLength: 0, maxLength: 8 })
  .map((minutes) => minutes.toSorted((one, other) => one - other))
  .map((sorted) =>
    Array.from({ length: Math.floor(sorted.length / 2) }, (_, index) => {
      const [begin = 0, end = 0] = sorted.slice(index * 2);
      return `${clockText(begin)}-${clockText(end)}`;
    }),
  );

const wholeDay = fc.constant(['00:00-24:00']);
const week = fc
  .array(fc.oneof(times, wholeDay), { minLength: 7, maxLength: 7 })
  .map((days) => Object.fromEntries(WEEKDAYS.map((weekday, index) => [weekday, days[index] ?? []])));

/** Any policy with rows of these keys and closed days of these dates, as the contract accepts it. */
export function anyPolicy(keys: readonly string[], dates: readonly string[]): fc.Arbitrary<CallingPolicySettings> {
  return fc
    .record({
      windows: fc.dictionary(fc.constantFrom(...keys), week, { maxKeys: 2, noNullPrototype: true }),
      closed_days: fc.subarray([...dates], { maxLength: 1 }),
      trust_given_zone: fc.boolean(),
    })
    .map((settings) => callingPolicySettingsSchema.parse(settings));
}

export function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}
