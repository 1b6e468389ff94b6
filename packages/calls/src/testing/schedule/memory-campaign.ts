import {
  agentIdSchema,
  micros,
  type AccountId,
  type AgentId,
  type CampaignHold,
  type CampaignId,
  type E164,
  type Micros,
} from '@outdial/contracts';
import type { CampaignLane, CampaignWindow } from '../../ports/schedule-store.ts';

/** A campaign of `MemoryScheduleStore`. It runs until `isRunning` is changed. */
export interface MemoryCampaign {
  readonly id: CampaignId;
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  isRunning: boolean;
  /** Contacts without a call, the next one first. */
  readonly contacts: E164[];
  readonly weight: number;
  readonly maxConcurrent: number | null;
  readonly callsPerSecond: number | null;
  budgetMicros: Micros | null;
  readonly window: CampaignWindow | null;
  deficit: number;
  heldBy: CampaignHold | null;
  tokens: number;
  tokensAtMs: number;
}

type Given = Pick<MemoryCampaign, 'id' | 'accountId' | 'contacts'> & Partial<MemoryCampaign>;

export function memoryCampaign(given: Given): MemoryCampaign {
  return {
    agentId: agentIdSchema.parse('0a000000-0000-4000-8000-000000000001'),
    agentVersion: 1,
    isRunning: true,
    weight: 10,
    maxConcurrent: null,
    callsPerSecond: null,
    budgetMicros: null,
    window: null,
    deficit: 0,
    heldBy: null,
    tokens: 0,
    tokensAtMs: 0,
    ...given,
  };
}

/** What its pace allows now: one second's burst, and one call at least. Null: any number. */
export function tokensAt({ callsPerSecond, tokens, tokensAtMs }: MemoryCampaign, nowMs: number): number | null {
  if (callsPerSecond === null) return null;
  return Math.min(Math.max(callsPerSecond, 1), tokens + (callsPerSecond * (nowMs - tokensAtMs)) / 1_000);
}

/** What Postgres counts of its calls. */
interface LaneCounts extends Pick<
  CampaignLane,
  'dueCalls' | 'queueTtlSeconds' | 'openCalls' | 'queuedCalls' | 'admittingCalls'
> {
  /** What open calls hold. */
  readonly heldMicros: bigint;
}

export function laneOf(campaign: MemoryCampaign, { heldMicros, ...counts }: LaneCounts, nowMs: number): CampaignLane {
  const { agentId, agentVersion } = campaign;
  const { id: campaignId, weight, deficit, contacts, maxConcurrent, callsPerSecond, budgetMicros, window } = campaign;
  const tokens = tokensAt(campaign, nowMs);
  return {
    campaignId,
    agentId,
    agentVersion,
    weight,
    deficit,
    contactsLeft: Math.min(400, contacts.length),
    maxConcurrent,
    callsPerSecond,
    paceCalls: tokens === null ? null : Math.floor(tokens),
    budgetLeftMicros: budgetMicros === null ? null : micros(budgetMicros - heldMicros),
    window,
    ...counts,
  };
}
