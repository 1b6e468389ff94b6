import type { CampaignRecord } from '@outdial/calls';
import {
  accountIdSchema,
  agentIdSchema,
  campaignIdSchema,
  e164Schema,
  type CampaignState,
  type CampaignWebhookType,
} from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { CampaignWebhookFacts } from './versions/2026-12-01.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const HOUR_MS = 3_600_000;

/** A made-up campaign as it is when a webhook of this type is sent. It was created two hours before, and started one hour before. */
export function exampleCampaignFacts(type: CampaignWebhookType, atMs: number): CampaignWebhookFacts {
  return { type, occurredAtMs: atMs, campaign: exampleCampaign(type, atMs), readAtMs: atMs };
}

function exampleCampaign(type: CampaignWebhookType, atMs: number): CampaignRecord {
  const state = stateOf(type);
  const isOver = state === 'completed' || state === 'cancelled';
  const hasBegun = type !== 'campaign.started';
  return {
    id: campaignIdSchema.parse(ID),
    accountId: accountIdSchema.parse(ID),
    state,
    name: 'Autumn reminders',
    agentId: agentIdSchema.parse(ID),
    agentVersion: 3,
    callerNumber: e164Schema.parse('+12025550199'),
    columns: {},
    defaultCountry: 'US',
    retry: { max_attempts: 3, on: ['busy', 'no_answer'], after_seconds: [900, 3_600] },
    callsPerSecond: 2,
    maxConcurrent: 20,
    weight: 10,
    window: null,
    startsAtMs: null,
    endsAtMs: null,
    budgetMicros: 50_000_000n,
    maxDurationSeconds: 300,
    ringTimeoutSeconds: 30,
    webhookUrl: null,
    metadata: {},
    createdBy: 'user:kim',
    createdAtMs: atMs - 2 * HOUR_MS,
    startedAtMs: hasBegun ? atMs - HOUR_MS : atMs,
    endedAtMs: isOver ? atMs : null,
    contacts: 200,
    passed: hasBegun ? (type === 'campaign.completed' ? 200 : 120) : 0,
    open: 0,
    byReason: hasBegun ? exampleCounts(type === 'campaign.completed' ? 200 : 120) : [],
    callsLastMinute: null,
    callsPerMinute: null,
    heldBy: null,
  };
}

/** A quarter was busy at the last attempt. */
function exampleCounts(contacts: number): CampaignRecord['byReason'] {
  const busy = contacts / 4;
  const answered = contacts - busy;
  return [
    { reason: 'busy', isFinal: true, calls: busy, answered: 0, costMicros: 0 },
    { reason: 'agent_hangup', isFinal: true, calls: answered, answered, costMicros: answered * 21_000 },
  ];
}

function stateOf(type: CampaignWebhookType): CampaignState {
  switch (type) {
    case 'campaign.started':
    case 'campaign.resumed':
      return 'running';
    case 'campaign.paused':
      return 'paused';
    case 'campaign.completed':
      return 'completed';
    case 'campaign.cancelled':
      return 'cancelled';
    default:
      return unreachable(type);
  }
}
