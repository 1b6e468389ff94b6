import type { Micros } from '@outdial/contracts';
import { windowAt } from '@outdial/policies';
import type { CampaignLane, CampaignNote, ScheduleStore, Turn } from '../ports/schedule-store.ts';
import type { MayHold } from './admit-call.ts';
import type { createAdmitLane, Run } from './admit-lane.ts';
import { hoursOf } from './estimate-finish.ts';
import { holdOf, LOOK_AGAIN_MS, type Obstacle } from './obstacles.ts';
import type { CampaignShare } from './share-out.ts';

/** A window that opens later is looked at again before. */
const LONGEST_WAIT_MS = 3_600_000;

/** Scheduled calls of a campaign that wait for a slot: enough for the next turns. */
const MOST_STOCK = 1_000;

interface CampaignResult {
  readonly obstacle: Obstacle | null;
  readonly note: CampaignNote;
  readonly leavesMore: boolean;
}

interface AdmitCampaignDeps {
  readonly store: Pick<ScheduleStore, 'stock'>;
  readonly admitLane: ReturnType<typeof createAdmitLane>;
}

/** Stocks calls of a campaign, admits its share of them, and says how it stands. */
export function createAdmitCampaign({ store, admitLane }: AdmitCampaignDeps) {
  /** What the share lacks, and some for the next turns. */
  async function stock(turn: Turn, lane: CampaignLane, share: number): Promise<void> {
    const wanted = Math.min(2 * share + Math.ceil(2 * (lane.callsPerSecond ?? 0)), MOST_STOCK) - lane.dueCalls;
    const limit = Math.min(wanted, lane.contactsLeft);
    if (limit <= 0) return;
    const { accountId, epoch } = turn;
    await store.stock({ accountId, epoch, campaignId: lane.campaignId, limit });
  }

  return async function admitCampaign(
    turn: Turn,
    lane: CampaignLane,
    share: CampaignShare,
    { isFull, ...run }: Run & { readonly isFull: boolean },
  ): Promise<CampaignResult> {
    const { campaignId } = lane;
    await stock(turn, lane, share.calls);
    const mayHold = lane.budgetLeftMicros === null ? {} : { mayHold: withinBudget(lane.budgetLeftMicros) };
    const done = await admitLane(turn, { campaignId, limit: share.calls, ...mayHold }, run);
    const { obstacle } = done;
    if (obstacle) return { obstacle, note: obstacleNote(lane, obstacle, share.deficit), leavesMore: false };
    const hasMore = share.calls < lane.dueCalls + lane.contactsLeft;
    // Unless the turn itself was too short, it waits for a slot, or for the next token.
    const waitMs = hasMore && !isFull ? LOOK_AGAIN_MS.capacity : 0;
    const notBeforeMs = share.lacksLine ? LOOK_AGAIN_MS.provider : (nextTokenMs(lane) ?? waitMs);
    const heldBy = share.lacksLine ? 'provider' : (done.waitsFor ?? (lacksSlot(lane, share) ? 'capacity' : null));
    return {
      obstacle,
      note: { campaignId, deficit: share.deficit, heldBy, notBeforeMs },
      leavesMore: done.isWhole && isFull && hasMore && !share.lacksLine && lane.callsPerSecond === null,
    };
  };
}

/**
 * It could call, has no part of the slots, and none of its calls has got further than the queue: others take the slots, or all
 * of them wait for a trunk.
 */
function lacksSlot(lane: CampaignLane, { calls }: CampaignShare): boolean {
  const { dueCalls, contactsLeft, openCalls, queuedCalls, admittingCalls, paceCalls } = lane;
  const isUp = openCalls > queuedCalls || admittingCalls > 0;
  return calls === 0 && dueCalls + contactsLeft > 0 && paceCalls !== 0 && !isUp;
}

/** What single calls wait for, campaigns wait for too. */
export function obstacleNote({ campaignId, deficit }: CampaignLane, obstacle: Obstacle, owed = deficit): CampaignNote {
  return { campaignId, deficit: owed, heldBy: holdOf(obstacle), notBeforeMs: LOOK_AGAIN_MS[obstacle.kind] };
}

/** A campaign that may not call now, and when to look again. */
export function heldNote(lane: CampaignLane, nowMs: number): CampaignNote | null {
  const { campaignId, deficit, window, budgetLeftMicros, admittingCalls } = lane;
  if (window !== null) {
    const hours = windowAt(...hoursOf(window), nowMs);
    if (hours.kind === 'closed') {
      const waitMs = (hours.opensAtMs ?? Infinity) - nowMs;
      return { campaignId, deficit, heldBy: 'window', notBeforeMs: Math.min(waitMs, LONGEST_WAIT_MS) };
    }
  }
  if (budgetLeftMicros === null) return null;
  if (budgetLeftMicros <= 0n) return { campaignId, deficit, heldBy: 'budget', notBeforeMs: LOOK_AGAIN_MS.budget };
  return admittingCalls > 0 ? { campaignId, deficit, heldBy: null, notBeforeMs: LOOK_AGAIN_MS.unavailable } : null;
}

/** What open calls hold and ended ones cost never exceeds the budget: each admission counts before it is made. */
function withinBudget(leftMicros: Micros): MayHold {
  let left: bigint = leftMicros;
  return (holdMicros) => {
    if (holdMicros > left) return false;
    left -= holdMicros;
    return true;
  };
}

/** Null: it has no pace. */
function nextTokenMs({ callsPerSecond }: CampaignLane): number | null {
  return callsPerSecond === null ? null : Math.ceil(1_000 / callsPerSecond);
}
