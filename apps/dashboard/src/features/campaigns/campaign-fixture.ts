import { campaignSchema, type CampaignBody, type CampaignProgress } from '@outdial/contracts';

const PROGRESS: CampaignProgress = {
  contacts: 1_000,
  remaining: 500,
  waiting: 60,
  open: 8,
  done: 432,
  not_dialled: 0,
  by_reason: { agent_hangup: 300, busy: 100, no_answer: 31, suppressed: 1 },
  answered: 300,
  answer_rate: 0.336,
  cost: 12.4,
  spent_percent: 31,
  calls_last_minute: 42,
  held_by: null,
  estimated_finish_at: '2026-12-01T16:00:00.000Z',
};

type Changes = Partial<Omit<CampaignBody, 'progress'>> & { readonly progress?: Partial<CampaignProgress> };

/** A running campaign of a test. */
export function campaignOf({ progress, ...changes }: Changes = {}): CampaignBody {
  return campaignSchema.parse({
    id: '5d3a1c9e-0d55-4c1e-9a54-0d1b0c9c2a10',
    state: 'running',
    name: 'Autumn recall',
    calls_per_second: 2,
    max_concurrent: null,
    weight: 10,
    window: null,
    ends_at: null,
    budget: 40,
    agent_id: '0b8f6c9a-7a44-4f43-8f0a-53f3a6f3b111',
    from_number: null,
    columns: {},
    default_country: null,
    retry: null,
    max_duration_seconds: null,
    ring_timeout_seconds: null,
    webhook_url: null,
    starts_at: null,
    metadata: {},
    agent_version: 3,
    created_by: 'user:ada@example.com',
    created_at: '2026-12-01T09:00:00.000Z',
    started_at: '2026-12-01T10:00:00.000Z',
    ended_at: null,
    ...changes,
    progress: { ...PROGRESS, ...progress },
  });
}
