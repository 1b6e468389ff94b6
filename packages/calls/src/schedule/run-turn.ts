import { withDeadline } from '@outdial/kernel';
import type { CampaignLane, CampaignNote, ScheduleStore, Turn } from '../ports/schedule-store.ts';
import type { TrunkAvailability } from '../ports/trunks.ts';
import { waitForTrunk } from '../trunks/trunk-wait.ts';
import { createAdmitCampaign, heldNote, obstacleNote } from './admit-campaign.ts';
import { createAdmitLane, type AdmitLaneDeps, type Run } from './admit-lane.ts';
import { createReadCampaignLines, type CampaignLinesDeps } from './campaign-lines.ts';
import { LOOK_AGAIN_MS, type Obstacle } from './obstacles.ts';
import { EVERY_LINE_FREE, MOST_PER_TURN, shareOut, type LineRoom, type Shares } from './share-out.ts';
import { createShortAccounts } from './short-accounts.ts';

export interface RunTurnDeps extends Omit<AdmitLaneDeps, 'store'>, Pick<CampaignLinesDeps, 'lines'> {
  readonly store: AdmitLaneDeps['store'] & Pick<ScheduleStore, 'stock' | 'endTurn'>;
  /** As for requests. Without this reader every call is admitted. */
  readonly readTrunkAvailability?: () => Promise<TrunkAvailability | null>;
}

/** What keeps one campaign from calling, and no other. */
const CONCERNS_ALL: Readonly<Record<Obstacle['kind'], boolean>> = {
  capacity: true,
  funds: true,
  unavailable: true,
  account: true,
  budget: false,
  credential: false,
};

/** No wave begins later: its calls could not be admitted before the turn is over. */
const WAVES_BEGIN_WITHIN_MS = 4_000;

/** Longer, and a turn goes on without knowing. */
const ACCOUNT_READ_MS = 1_000;

interface SingleResult {
  readonly obstacle: Obstacle | null;
  /** For how long looking again is of no use. */
  readonly notBeforeMs: number;
  readonly leavesMore: boolean;
}

interface SortedOut {
  readonly held: readonly CampaignNote[];
  readonly able: readonly CampaignLane[];
  readonly lines: LineRoom;
}

interface TurnResult extends Omit<SingleResult, 'obstacle'> {
  readonly campaigns: readonly CampaignNote[];
}

/** Runs one turn: takes calls, admits them, puts back the others, and says when the account is due again. */
export function createRunTurn(deps: RunTurnDeps) {
  const { clock, store } = deps;
  const shortAccounts = createShortAccounts(clock);
  const admitLane = createAdmitLane(deps, shortAccounts);
  const admitCampaign = createAdmitCampaign({ store, admitLane });
  const readCampaignLines = createReadCampaignLines(deps);

  async function isWaitingPointless(queueTtlSeconds: number): Promise<boolean> {
    // Unread, it keeps no call back: an admitted call waits in the queue.
    const availability = (await deps.readTrunkAvailability?.().catch(() => null)) ?? null;
    return waitForTrunk(availability, queueTtlSeconds).kind === 'pointless';
  }

  async function admitSingle(turn: Turn, limit: number, run: Run): Promise<SingleResult> {
    if (turn.dueCalls > turn.freeSlots) shortAccounts.note(turn.accountId);
    const { obstacle, isWhole, isPostponed } = await admitLane(turn, { campaignId: null, limit }, run);
    if (obstacle) return { obstacle, notBeforeMs: LOOK_AGAIN_MS[obstacle.kind], leavesMore: false };
    // A postponed call leaves its slot to the next.
    const room = isPostponed ? turn.dueCalls : Math.min(turn.dueCalls, turn.freeSlots);
    return { obstacle, notBeforeMs: 0, leavesMore: isWhole && limit < room };
  }

  async function admitCampaigns(turn: Turn, shares: Shares, single: SingleResult, run: Run): Promise<TurnResult> {
    const isFull = wantedOf(shares) >= MOST_PER_TURN;
    const notes: CampaignNote[] = [];
    let { obstacle, leavesMore } = single;
    for (const lane of turn.campaigns) {
      const share = shares.campaigns.get(lane.campaignId);
      if (!share) continue;
      if (obstacle) {
        notes.push(obstacleNote(lane, obstacle));
        continue;
      }
      const done = await admitCampaign(turn, lane, share, { ...run, isFull });
      notes.push(done.note);
      leavesMore ||= done.leavesMore;
      obstacle = done.obstacle && CONCERNS_ALL[done.obstacle.kind] ? done.obstacle : null;
    }
    return { notBeforeMs: single.notBeforeMs, campaigns: notes, leavesMore };
  }

  /** Unread, it is enabled: the admission of each call asks too. */
  async function isDisabled({ accountId, campaigns }: Turn): Promise<boolean> {
    if (campaigns.length === 0) return false;
    const reading = withDeadline(clock, clock.monotonicMs() + ACCOUNT_READ_MS, deps.directory.findAccount(accountId));
    const account = await reading.catch(() => null);
    return account !== null && !account.enabled;
  }

  /** Of the campaigns that may not call now, and the others, with the lines that are free for them. */
  async function sortOut(turn: Turn): Promise<SortedOut> {
    if (await isDisabled(turn)) {
      const held = turn.campaigns.map((lane) => obstacleNote(lane, { kind: 'account' }));
      return { held, able: [], lines: EVERY_LINE_FREE };
    }
    const held = turn.campaigns.flatMap((lane) => heldNote(lane, clock.nowMs()) ?? []);
    const heldIds = new Set(held.map(({ campaignId }) => campaignId));
    const open = turn.campaigns.filter(({ campaignId }) => !heldIds.has(campaignId));
    const { lines, unusable } = await readCampaignLines(
      turn.accountId,
      turn.campaignSlots > 0 ? open.filter(hasCalls) : [],
    );
    const withoutCredential = open.filter(({ campaignId }) => unusable.has(campaignId));
    return {
      held: [...held, ...withoutCredential.map((lane) => obstacleNote(lane, { kind: 'credential' }))],
      able: open.filter(({ campaignId }) => !unusable.has(campaignId)),
      lines,
    };
  }

  async function admitShares(turn: Turn, run: Run): Promise<TurnResult> {
    const { held, able, lines } = await sortOut(turn);
    const shares = shareOut(turn, (lane) => able.includes(lane), lines);
    if (wantedOf(shares) > 0 && (await isWaitingPointless(shortestTtlSeconds(turn)))) {
      shortAccounts.note(turn.accountId);
      const notBeforeMs = LOOK_AGAIN_MS.trunks;
      const waiting = able.map((lane) => {
        const { campaignId, deficit } = lane;
        return { campaignId, deficit, heldBy: hasCalls(lane) ? ('capacity' as const) : null, notBeforeMs };
      });
      return { notBeforeMs, campaigns: [...held, ...waiting], leavesMore: false };
    }
    const single = await admitSingle(turn, shares.single, run);
    const done = await admitCampaigns(turn, shares, single, run);
    return { ...done, campaigns: [...held, ...done.campaigns] };
  }

  /**
   * @param startedMs by the monotonic clock, not after the turn began
   * @returns whether it left due calls for which there are slots: the next turn need not wait
   */
  return async function runTurn(turn: Turn, startedMs: number, stopping: AbortSignal): Promise<boolean> {
    const { accountId, epoch } = turn;
    const run = { untilMs: startedMs + WAVES_BEGIN_WITHIN_MS, stopping };
    const { notBeforeMs, campaigns, leavesMore } = await admitShares(turn, run);
    await store.endTurn({ accountId, epoch, notBeforeMs, campaignNotes: campaigns });
    return leavesMore;
  };
}

function hasCalls({ dueCalls, contactsLeft }: Turn['campaigns'][number]): boolean {
  return dueCalls + contactsLeft > 0;
}

function wantedOf({ single, campaigns }: Shares): number {
  return single + [...campaigns.values()].reduce((sum, { calls }) => sum + calls, 0);
}

function shortestTtlSeconds({ queueTtlSeconds, campaigns }: Turn): number {
  const all = [queueTtlSeconds, ...campaigns.map((lane) => lane.queueTtlSeconds)].filter((seconds) => seconds > 0);
  return Math.min(...all);
}
