import type { AccountId, CampaignId, LineName } from '@outdial/contracts';
import { createFreshCache, withDeadline, type Clock } from '@outdial/kernel';
import type { AuthorizationDeps } from '../accept/authorize-call.ts';
import { planModels } from '../accept/plan-models.ts';
import type { LineLimits } from '../line.ts';
import type { Directory } from '../ports/directory.ts';
import type { LineDirectory, LineGate } from '../ports/lines.ts';
import type { CampaignLane } from '../ports/schedule-store.ts';
import { EVERY_LINE_FREE, type LineRoom } from './share-out.ts';

export interface CampaignLinesDeps extends AuthorizationDeps {
  readonly clock: Clock;
  readonly directory: AuthorizationDeps['directory'] & Pick<Directory, 'findAccount' | 'findAgentVersion'>;
  /** Without them no campaign is bounded by its provider. */
  readonly lines?: { readonly gate: Pick<LineGate, 'free'>; readonly directory: Pick<LineDirectory, 'linesOfPlan'> };
}

type Agent = Pick<CampaignLane, 'agentId' | 'agentVersion'>;

/** What an agent's providers leave room for. */
export interface CampaignLines {
  readonly lines: LineRoom;
  /** Campaigns whose agents' models have no credential, or no price: no call of theirs would be admitted. */
  readonly unusable: ReadonlySet<CampaignId>;
}

interface AgentLines {
  readonly lines: readonly LineLimits[];
  readonly isUsable: boolean;
}

const SCRIPTED: AgentLines = { lines: [], isUsable: true };
const NOTHING_KNOWN: CampaignLines = { lines: EVERY_LINE_FREE, unusable: new Set() };

/** Longer, and a turn goes on without knowing. */
const READ_MS = 1_000;

/**
 * What the lines of campaigns leave room for, read once a turn: one command, and for each agent a statement a second. Calls that
 * are queued will take a line first. Never rejects: what cannot be read bounds nothing.
 */
export function createReadCampaignLines({ clock, directory, credentials, lines }: CampaignLinesDeps) {
  const known = createFreshCache<AgentLines>({
    clock,
    maxAgeMs: 1_000,
    maxReadMs: READ_MS,
    maxEntries: 10_000,
  });

  async function linesOf(accountId: AccountId, { agentId, agentVersion }: Agent): Promise<AgentLines> {
    if (!lines || !credentials) return SCRIPTED;
    const agent = await directory.findAgentVersion(accountId, agentId, agentVersion);
    const account = agent?.conducted ? await directory.findAccount(accountId) : null;
    if (!agent?.conducted || !account) return SCRIPTED;
    const plan = await planModels({ directory, credentials }, account, agent.conducted);
    if (plan.kind !== 'planned') return { lines: [], isUsable: false };
    const own = await lines.directory.linesOfPlan({ accountId, agentId, agentVersion }, plan.conducted);
    return { lines: own, isUsable: true };
  }

  /** Null: it is not known. What is known of credentials stays so. */
  async function freeOf(accountId: AccountId, needed: readonly { readonly line: LineLimits }[]) {
    return (await lines?.gate.free({ accountId, lines: needed.map(({ line }) => line) }).catch(() => null)) ?? null;
  }

  async function read(accountId: AccountId, lanes: readonly CampaignLane[]): Promise<CampaignLines> {
    const needs = await Promise.all(
      lanes.map(async (lane) => {
        const key = `${accountId} ${lane.agentId} ${lane.agentVersion}`;
        return { lane, ...(await known(key, () => linesOf(accountId, lane))) };
      }),
    );
    const unusable = new Set(needs.flatMap(({ lane, isUsable }) => (isUsable ? [] : [lane.campaignId])));
    const needed = needs.flatMap(({ lane, lines: own }) => own.map((line) => ({ lane, line })));
    const free = needed.length === 0 ? null : await freeOf(accountId, needed);
    return { lines: free === null ? EVERY_LINE_FREE : roomOf(needed, free), unusable };
  }

  return async (accountId: AccountId, lanes: readonly CampaignLane[]): Promise<CampaignLines> => {
    if (!lines || lanes.length === 0) return NOTHING_KNOWN;
    return withDeadline(clock, clock.monotonicMs() + READ_MS, read(accountId, lanes)).catch(() => NOTHING_KNOWN);
  };
}

/** Campaigns may need the same line, each with its own breakers. */
function roomOf(
  needed: readonly { readonly lane: CampaignLane; readonly line: LineLimits }[],
  free: readonly number[],
): LineRoom {
  const most = new Map<CampaignId, number>();
  const needs = new Map<CampaignId, LineName[]>();
  const left = new Map<LineName, number>();
  const queued = new Map<LineName, number>();
  for (const [index, { lane, line }] of needed.entries()) {
    const { campaignId, queuedCalls } = lane;
    const places = free[index] ?? 0;
    most.set(campaignId, Math.min(most.get(campaignId) ?? Infinity, places - queuedCalls));
    needs.set(campaignId, [...(needs.get(campaignId) ?? []), line.name]);
    left.set(line.name, Math.max(left.get(line.name) ?? 0, places));
    queued.set(line.name, (queued.get(line.name) ?? 0) + queuedCalls);
  }
  for (const [name, calls] of queued) left.set(name, (left.get(name) ?? 0) - calls);
  return { needs, most, left };
}
