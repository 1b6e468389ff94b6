import {
  callingPolicyCheckSchema,
  callingPolicyEnvelopeSchema,
  callingPolicySchema,
  callingPolicySettingsSchema,
  callingPolicyVersionsSchema,
  checkCallingPolicySchema,
} from '@outdial/contracts';
import type { z } from 'zod';

const DAY = ['09:00-20:00'];
const WEEK = { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY };

const SETTINGS = callingPolicySettingsSchema.parse({
  windows: { default: { ...WEEK, sat: ['10:00-16:00'] }, 'US-FL': WEEK },
  closed_days: ['2026-12-25'],
  caps: [{ hours: 24, max: 3 }],
});
const POLICY = callingPolicySchema.parse({
  ...SETTINGS,
  version: 2,
  saved_by: 'Sam',
  saved_at: '2026-11-20T10:12:00.000Z',
});

/** Complete example bodies of calling policies, by the schema that each of them matches. */
export const POLICY_EXAMPLES: readonly (readonly [z.ZodType, unknown])[] = [
  [callingPolicySettingsSchema, SETTINGS],
  [callingPolicyEnvelopeSchema, { calling_policy: POLICY, floor: null }],
  [callingPolicyVersionsSchema, { versions: [POLICY], has_more: true, next_cursor: '2' }],
  [checkCallingPolicySchema, { number: '+12025550143', at: '2026-11-20T21:30:00-05:00' }],
  [
    callingPolicyCheckSchema,
    {
      number: '+12025550143',
      verdict: 'outside_calling_window',
      zones: [{ zone: 'America/New_York', local_time: '2026-11-20T21:30', open: false }],
      regions: ['US', 'US-DC'],
      certain: true,
      opens_at: '2026-11-21T15:00:00.000Z',
      closes_at: null,
      capped_until: null,
      policy_version: 2,
    },
  ],
];
