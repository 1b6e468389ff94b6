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

/** Longer, and a turn goes on without knowing. */
const READ_MS = 1_000;

/**
 * What the lines of campaigns leave room for, read once a turn: one command, and for each agent a statement a second. Calls that
 * are queued will take a line first. Never rejects: what cannot be read bounds nothing.
 */
export function createReadCampaignLines({ clock, directory, credentials, lines }: CampaignLinesDeps) {
  const known = createFreshCache<readonly LineLimits[]>({
    clock,
    maxAgeMs: 1_000,
    maxReadMs: READ_MS,
    maxEntries: 10_000,
  });

  async function linesOf(accountId: AccountId, { agentId, agentVersion }: Agent): Promise<readonly LineLimits[]> {
    if (!lines || !credentials) return [];
    const agent = await directory.findAgentVersion(accountId, agentId, agentVersion);
    if (!agent?.conducted) return [];
    const account = await directory.findAccount(accountId);
    const plan = account && (await planModels({ directory, credentials }, account, agent.conducted));
    // The admission says what is the matter.
    if (plan?.kind !== 'planned') return [];
    return lines.directory.linesOfPlan({ accountId, agentId, agentVersion }, plan.conducted);
  }

  async function read(accountId: AccountId, lanes: readonly CampaignLane[]): Promise<LineRoom> {
    const needs = await Promise.all(
      lanes.map(async (lane) => {
        const key = `${accountId} ${lane.agentId} ${lane.agentVersion}`;
        return { lane, lines: await known(key, () => linesOf(accountId, lane)) };
      }),
    );
    const needed = needs.flatMap(({ lane, lines: own }) => own.map((line) => ({ lane, line })));
    if (!lines || needed.length === 0) return EVERY_LINE_FREE;
    const free = await lines.gate.free({ accountId, lines: needed.map(({ line }) => line) });
    return free === null ? EVERY_LINE_FREE : roomOf(needed, free);
  }

  return async (accountId: AccountId, lanes: readonly CampaignLane[]): Promise<LineRoom> => {
    if (!lines || lanes.length === 0) return EVERY_LINE_FREE;
    return withDeadline(clock, clock.monotonicMs() + READ_MS, read(accountId, lanes)).catch(() => EVERY_LINE_FREE);
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
