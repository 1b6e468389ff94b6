import { expect, test } from 'vitest';
import { callingPolicySchema, callingPolicySettingsSchema } from './calling-policies.ts';

const week = { mon: ['08:00-21:00'] };
const rowOf = (key: string) => callingPolicySettingsSchema.safeParse({ windows: { [key]: week } });

test('a row of a policy is for everywhere, a country, or a region', () => {
  for (const key of ['default', 'GB', 'DE-BY', 'US-FL', 'US-PR', 'CA-QC']) expect(rowOf(key).success).toBe(true);
});

test('a row that no number could be in is refused, once, and not kept without effect', () => {
  for (const key of ['UK', 'FL', 'XX', 'US-FA', 'CA-XX', 'us-fl', 'US-Florida', 'mon'])
    expect(rowOf(key).error?.issues).toHaveLength(1);
});

test('a version that has such a row can be read', () => {
  const kept = { windows: { UK: week }, version: 1, saved_by: 'default', saved_at: null };
  expect(callingPolicySchema.safeParse(kept).success).toBe(true);
});
