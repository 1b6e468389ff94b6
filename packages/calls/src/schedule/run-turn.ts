import type { CampaignHold, CampaignId, Micros } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import { windowAt } from '@outdial/policies';
import type { Admission, AdmissionObserver } from '../ports/observer.ts';
import type { CampaignLane, CampaignNote, ScheduleStore, TakenCall, Turn } from '../ports/schedule-store.ts';
import type { TrunkAvailability } from '../ports/trunks.ts';
import { waitForTrunk } from '../trunks/trunk-wait.ts';
import { hoursOf } from './estimate-finish.ts';
import { createAdmitCall, type AdmitCallDeps, type AdmitCallOutcome, type MayHold } from './admit-call.ts';
import { MOST_PER_TURN, shareOut, type CampaignShare } from './share-out.ts';
import { createShortAccounts } from './short-accounts.ts';

export interface RunTurnDeps extends Omit<AdmitCallDeps, 'store'> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: AdmitCallDeps['store'] & Pick<ScheduleStore, 'takeDue' | 'stock' | 'putBack' | 'endTurn'>;
  readonly observer: AdmissionObserver;
  /** As for requests. Without this reader every call is admitted. */
  readonly readTrunkAvailability?: () => Promise<TrunkAvailability | null>;
}

/** The gate's first refusal comes early: few reservations are made in vain, and a free gate is filled quickly. */
const WAVES = [4, 16, 64] as const;
const LARGEST_WAVE = 64;

/** No wave begins later: its calls could not be admitted before the turn is over. */
const WAVES_BEGIN_WITHIN_MS = 4_000;

/** When to look again for a slot, for funds, for a store, and for a trunk. */
const LOOK_AGAIN_MS = { capacity: 500, funds: 30_000, budget: 30_000, unavailable: 500, trunks: 1_000 } as const;
/** A window that opens later is looked at again before. */
const LONGEST_WAIT_MS = 3_600_000;

/** Scheduled calls of a campaign that wait for a slot: enough for the next turns. */
const MOST_STOCK = 1_000;

/** What ends a turn before its calls are admitted. */
type Obstacle = Extract<AdmitCallOutcome, { readonly kind: keyof typeof LOOK_AGAIN_MS }>;

/** What a lane may admit in a turn. */
interface LaneShare {
  /** Null: single calls. */
  readonly campaignId: CampaignId | null;
  readonly limit: number;
  readonly mayHold?: MayHold;
}

/** Until when a wave may begin, by the monotonic clock. */
interface Run {
  readonly untilMs: number;
  readonly stopping: AbortSignal;
}

interface LaneOutcome {
  readonly obstacle: Obstacle | null;
  /** Nothing that it took was left untried. */
  readonly isWhole: boolean;
  readonly isPostponed: boolean;
}

interface LaneResult {
  readonly obstacle: Obstacle | null;
  /** For how long looking again is of no use. */
  readonly notBeforeMs: number;
  readonly leavesMore: boolean;
}

interface CampaignResult extends Omit<LaneResult, 'notBeforeMs'> {
  readonly note: CampaignNote;
}

interface TurnResult extends Omit<LaneResult, 'obstacle'> {
  readonly campaigns: readonly CampaignNote[];
}

interface Attempt {
  readonly call: TakenCall;
  readonly outcome: AdmitCallOutcome;
}

/** Runs one turn: takes calls, admits them, puts back the others, and says when the account is due again. */
export function createRunTurn(deps: RunTurnDeps) {
  const admitCall = createAdmitCall(deps);
  const { clock, logger, store, observer } = deps;
  const shortAccounts = createShortAccounts(clock);

  async function isWaitingPointless(queueTtlSeconds: number): Promise<boolean> {
    // Unread, it keeps no call back: an admitted call waits in the queue.
    const availability = (await deps.readTrunkAvailability?.().catch(() => null)) ?? null;
    return waitForTrunk(availability, queueTtlSeconds).kind === 'pointless';
  }

  function note({ call, outcome }: Attempt, isSingle: boolean): void {
    observer.admission(METRIC_OF[outcome.kind]);
    if (outcome.kind === 'refused') observer.ended(outcome.reason, 1);
    const { callId, accountId, requestId } = call;
    if (outcome.kind === 'admitted') {
      const { lateMs } = outcome;
      // What a campaign has in stock is due at once, and waits for its part of the slots.
      if (isSingle && lateMs !== null && !shortAccounts.heldUp(accountId, lateMs)) observer.late(lateMs);
      logger.info({ event: 'call.admitted', callId, accountId, requestId, lateMs }, 'scheduled call admitted');
    }
    if (outcome.kind === 'held')
      logger.warn(
        { event: 'call.admission_delayed', callId, accountId, requestId },
        'the gate still has an earlier reservation of a scheduled call',
      );
    if (outcome.kind === 'left')
      logger.error(
        { event: 'call.not_admitted', err: outcome.cause, callId, accountId, requestId },
        'a scheduled call was not admitted and is tried again',
      );
  }

  async function admitWave(
    wave: readonly TakenCall[],
    { campaignId, mayHold }: LaneShare,
  ): Promise<readonly Attempt[]> {
    const attempts = await Promise.all(wave.map(async (call) => ({ call, outcome: await admitCall(call, mayHold) })));
    for (const attempt of attempts) note(attempt, campaignId === null);
    return attempts;
  }

  /** In waves, up to the first obstacle. `untried`: nothing was done about them. */
  async function admitAll(calls: readonly TakenCall[], share: LaneShare, { untilMs, stopping }: Run) {
    const attempts: Attempt[] = [];
    for (let wave = 0; attempts.length < calls.length; wave += 1) {
      if (stopping.aborted || clock.monotonicMs() > untilMs) break;
      const size = WAVES[wave] ?? LARGEST_WAVE;
      attempts.push(...(await admitWave(calls.slice(attempts.length, attempts.length + size), share)));
      if (attempts.some(({ outcome }) => isObstacle(outcome))) break;
    }
    return { attempts, untried: calls.slice(attempts.length) };
  }

  /** Takes calls of a lane and admits them. Puts back those that an obstacle keeps. */
  async function admitLane(turn: Turn, share: LaneShare, run: Run): Promise<LaneOutcome> {
    const { accountId, epoch } = turn;
    const { campaignId, limit } = share;
    const calls =
      limit === 0 ? [] : await store.takeDue({ accountId, epoch, limit, ...(campaignId !== null && { campaignId }) });
    const { attempts, untried } = await admitAll(calls, share, run);
    const obstacles = attempts.map(({ outcome }) => outcome).filter(isObstacle);
    const first = obstacles[0] ?? null;
    if (first && first.kind !== 'unavailable') shortAccounts.note(accountId);
    if (first?.kind === 'unavailable')
      logger.warn({ event: 'admission.interrupted', err: first.cause, accountId }, 'scheduled calls are not admitted');
    await Promise.all(
      ([null, 'capacity', 'funds'] as const).map(async (waitingFor) => {
        const waits = (outcome: AdmitCallOutcome | null) => waitOf(outcome) === waitingFor;
        const back = [
          ...attempts.filter(({ outcome }) => isObstacle(outcome) && waits(outcome)).map(({ call }) => call),
          ...(waits(first) ? untried : []),
        ];
        const given = back.map(({ callId, admitToken }) => ({ callId, admitToken }));
        if (given.length > 0) await store.putBack({ calls: given, waitingFor });
      }),
    );
    const isPostponed = attempts.some(({ outcome }) => outcome.kind === 'postponed');
    return { obstacle: first, isWhole: untried.length === 0, isPostponed };
  }

  /** Of single calls. */
  async function admitSingle(turn: Turn, limit: number, run: Run): Promise<LaneResult> {
    if (turn.dueCalls > turn.freeSlots) shortAccounts.note(turn.accountId);
    const { obstacle, isWhole, isPostponed } = await admitLane(turn, { campaignId: null, limit }, run);
    if (obstacle) return { obstacle, notBeforeMs: LOOK_AGAIN_MS[obstacle.kind], leavesMore: false };
    // A postponed call leaves its slot to the next.
    const room = isPostponed ? turn.dueCalls : Math.min(turn.dueCalls, turn.freeSlots);
    return { obstacle, notBeforeMs: 0, leavesMore: isWhole && limit < room };
  }

  /** Stocks what the share lacks, and some for the next turns. */
  async function stock(turn: Turn, lane: CampaignLane, share: number): Promise<void> {
    const wanted = Math.min(2 * share + Math.ceil(2 * (lane.callsPerSecond ?? 0)), MOST_STOCK) - lane.dueCalls;
    const limit = Math.min(wanted, lane.contactsLeft);
    if (limit <= 0) return;
    const { accountId, epoch } = turn;
    await store.stock({ accountId, epoch, campaignId: lane.campaignId, limit });
  }

  async function admitCampaign(
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
    const note = { campaignId, deficit: share.deficit };
    if (obstacle)
      return {
        obstacle,
        note: { ...note, heldBy: holdOf(obstacle), notBeforeMs: LOOK_AGAIN_MS[obstacle.kind] },
        leavesMore: false,
      };
    const hasMore = share.calls < lane.dueCalls + lane.contactsLeft;
    // Unless the turn itself was too short, it waits for a slot, or for the next token.
    const waitMs = hasMore && !isFull ? LOOK_AGAIN_MS.capacity : 0;
    return {
      obstacle,
      note: { ...note, heldBy: null, notBeforeMs: nextTokenMs(lane) ?? waitMs },
      leavesMore: done.isWhole && isFull && hasMore && lane.callsPerSecond === null,
    };
  }

  async function admitShares(turn: Turn, run: Run): Promise<TurnResult> {
    const held = turn.campaigns.flatMap((lane) => heldNote(lane, clock.nowMs()) ?? []);
    const heldIds = new Set(held.map(({ campaignId }) => campaignId));
    const shares = shareOut(turn, ({ campaignId }) => !heldIds.has(campaignId));
    const wanted = shares.single + [...shares.campaigns.values()].reduce((sum, { calls }) => sum + calls, 0);
    if (wanted > 0 && (await isWaitingPointless(shortestTtlSeconds(turn)))) {
      shortAccounts.note(turn.accountId);
      return {
        notBeforeMs: LOOK_AGAIN_MS.trunks,
        campaigns: notesOf(turn, held, LOOK_AGAIN_MS.trunks),
        leavesMore: false,
      };
    }
    const single = await admitSingle(turn, shares.single, run);
    const notes: CampaignNote[] = [...held];
    let { obstacle, leavesMore } = single;
    for (const lane of turn.campaigns) {
      const share = shares.campaigns.get(lane.campaignId);
      if (!share) continue;
      // What single calls wait for, campaigns wait for too.
      if (obstacle) {
        notes.push({
          campaignId: lane.campaignId,
          deficit: lane.deficit,
          heldBy: holdOf(obstacle),
          notBeforeMs: LOOK_AGAIN_MS[obstacle.kind],
        });
        continue;
      }
      const done = await admitCampaign(turn, lane, share, { ...run, isFull: wanted >= MOST_PER_TURN });
      notes.push(done.note);
      leavesMore ||= done.leavesMore;
      obstacle = done.obstacle?.kind === 'budget' ? null : done.obstacle;
    }
    return { notBeforeMs: single.notBeforeMs, campaigns: notes, leavesMore };
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

/** A campaign that may not call now, and when to look again. */
function heldNote(lane: CampaignLane, nowMs: number): CampaignNote | null {
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

function holdOf({ kind }: Obstacle): CampaignHold | null {
  return kind === 'unavailable' ? null : kind;
}

function shortestTtlSeconds({ queueTtlSeconds, campaigns }: Turn): number {
  const all = [queueTtlSeconds, ...campaigns.map((lane) => lane.queueTtlSeconds)].filter((seconds) => seconds > 0);
  return Math.min(...all);
}

function notesOf({ campaigns }: Turn, held: readonly CampaignNote[], notBeforeMs: number): readonly CampaignNote[] {
  const heldIds = new Set(held.map(({ campaignId }) => campaignId));
  const others = campaigns.filter(({ campaignId }) => !heldIds.has(campaignId));
  return [...held, ...others.map(({ campaignId, deficit }) => ({ campaignId, deficit, heldBy: null, notBeforeMs }))];
}

function isObstacle(outcome: AdmitCallOutcome): outcome is Obstacle {
  return outcome.kind in LOOK_AGAIN_MS;
}

/** What a call waits for after an obstacle; null: nothing that its account could change. */
function waitOf(outcome: AdmitCallOutcome | null): 'capacity' | 'funds' | null {
  return outcome?.kind === 'capacity' || outcome?.kind === 'funds' ? outcome.kind : null;
}

const METRIC_OF: Readonly<Record<AdmitCallOutcome['kind'], Admission>> = {
  admitted: 'admitted',
  refused: 'refused',
  capacity: 'capacity',
  funds: 'funds',
  budget: 'funds',
  postponed: 'postponed',
  gone: 'gone',
  held: 'unavailable',
  left: 'unavailable',
  unavailable: 'unavailable',
};
