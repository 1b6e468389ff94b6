import {
  addContactsSchema,
  campaignContactListSchema,
  campaignEnvelopeSchema,
  campaignListSchema,
  campaignSchema,
  campaignUploadEnvelopeSchema,
  cancelCampaignSchema,
  createCampaignSchema,
  updateCampaignSchema,
} from '@outdial/contracts';
import type { z } from 'zod';

const DAY = ['09:00-12:00', '13:00-17:00'];
const WINDOW = {
  time_zone: 'America/New_York',
  days: { mon: DAY, tue: DAY, wed: DAY, thu: DAY, fri: DAY, sat: [], sun: [] },
};
const RETRY = { max_attempts: 3, on: ['busy', 'no_answer'] as const, after_seconds: [900, 3_600] };

const CAMPAIGN = campaignSchema.parse({
  id: '01991f3e-c4d5-7e6f-8091-a2b3c4d5e6f8',
  state: 'running',
  name: 'Autumn appointments',
  calls_per_second: 2,
  max_concurrent: 20,
  weight: 10,
  window: WINDOW,
  ends_at: '2026-12-01T22:00:00.000Z',
  budget: 250,
  agent_id: '01991f3e-0a1b-7c2d-8e3f-4a5b6c7d8e9f',
  from_number: '+12025550100',
  columns: { to_number: 'Phone', variables: { name: 'First name' }, metadata: { crm_id: 'ID' } },
  default_country: 'US',
  retry: { ...RETRY, on: [...RETRY.on] },
  max_duration_seconds: 600,
  ring_timeout_seconds: 30,
  webhook_url: null,
  starts_at: null,
  metadata: { department: 'cardiology' },
  agent_version: 4,
  created_by: 'user:01991f3e-1111-7c2d-8e3f-4a5b6c7d8e9f',
  created_at: '2026-11-20T14:00:00.000Z',
  started_at: '2026-11-20T14:05:00.000Z',
  ended_at: null,
  progress: {
    contacts: 1_200,
    remaining: 700,
    waiting: 46,
    open: 14,
    done: 440,
    not_dialled: 0,
    by_reason: { callee_hangup: 302, agent_hangup: 98, no_answer: 40 },
    answered: 400,
    answer_rate: 0.75,
    cost: 31.42,
    spent_percent: 12.568,
    calls_last_minute: 42,
    held_by: null,
    estimated_finish_at: '2026-11-20T18:20:00.000Z',
  },
});

const UPLOAD = {
  number: 1,
  state: 'ready',
  file_name: null,
  rows: 2,
  accepted: 1,
  duplicates: 1,
  invalid: 0,
  started_at: '2026-11-20T14:02:00.000Z',
  ended_at: '2026-11-20T14:02:00.000Z',
  error: null,
  errors: [],
};

const CONTACT = {
  upload: 1,
  line: 1,
  number: '+12025550143',
  attempts: 1,
  call_id: '01991f3e-a1b2-7c3d-8e4f-5a6b7c8d9e0f',
  call_status: 'ended',
  outcome: 'callee_hangup',
};

/** Complete example bodies of campaigns, by the schema that each of them matches. */
export const CAMPAIGN_EXAMPLES: readonly (readonly [z.ZodType, unknown])[] = [
  [
    createCampaignSchema,
    {
      name: CAMPAIGN.name,
      agent_id: CAMPAIGN.agent_id,
      from_number: CAMPAIGN.from_number,
      retry: RETRY,
      calls_per_second: 2,
      max_concurrent: 20,
      window: WINDOW,
      budget: 250,
    },
  ],
  [updateCampaignSchema, { calls_per_second: 5, ends_at: CAMPAIGN.ends_at }],
  [campaignEnvelopeSchema, { campaign: CAMPAIGN }],
  [campaignListSchema, { campaigns: [CAMPAIGN], has_more: false, next_cursor: null }],
  [cancelCampaignSchema, { hang_up: true }],
  [
    addContactsSchema,
    { contacts: [{ to_number: '+12025550143', variables: { name: 'Ada' }, metadata: { crm_id: '17' } }] },
  ],
  [campaignUploadEnvelopeSchema, { upload: UPLOAD }],
  [campaignContactListSchema, { contacts: [CONTACT], has_more: false, next_cursor: null }],
];
