import type { CampaignSettings } from '@outdial/calls';
import type { AgentId } from '@outdial/contracts';

/** The settings of a campaign without bounds, which calls each contact once, but for `changes`. */
export function campaignSettings(agentId: AgentId, changes: Partial<CampaignSettings> = {}): CampaignSettings {
  return {
    name: 'Autumn',
    agentId,
    callerNumber: null,
    columns: {},
    defaultCountry: null,
    retry: null,
    callsPerSecond: null,
    maxConcurrent: null,
    weight: 10,
    window: null,
    startsAtMs: null,
    endsAtMs: null,
    budgetMicros: null,
    maxDurationSeconds: null,
    ringTimeoutSeconds: null,
    webhookUrl: null,
    metadata: {},
    ...changes,
  };
}
