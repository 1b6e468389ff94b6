import type { CampaignId, LineName } from '@outdial/contracts';
import type { CampaignLane, Turn } from '../ports/schedule-store.ts';

/** Its calls are admitted well within the time of the turn. */
export const MOST_PER_TURN = 100;

/** What a campaign may admit in a turn. */
export interface CampaignShare {
  readonly calls: number;
  /** What it is owed once it has them; carried to its next share. */
  readonly deficit: number;
  /** It has none of the slots that it could use, because no line is free. */
  readonly lacksLine: boolean;
}

export interface Shares {
  /** Of single calls. */
  readonly single: number;
  readonly campaigns: ReadonlyMap<CampaignId, CampaignShare>;
}

/** What the providers of the agents take now. A campaign without needs is not bounded. */
export interface LineRoom {
  readonly needs: ReadonlyMap<CampaignId, readonly LineName[]>;
  /** How many calls of the campaign could get all of its lines. */
  readonly most: ReadonlyMap<CampaignId, number>;
  /** How many calls of all campaigns could get the line. */
  readonly left: ReadonlyMap<LineName, number>;
}

export const EVERY_LINE_FREE: LineRoom = { needs: new Map(), most: new Map(), left: new Map() };

/**
 * Shares the free slots of an account: single calls first, then campaigns by weight. Pure, and work-conserving: no slot that a
 * lane could use stays free.
 *
 * Without a free slot single calls take one, since only the gate knows: a slot that is free there and not yet in Postgres would
 * be left unused. `mayCall` says which campaigns call now: neither held, nor outside their hours. Single calls wait for lines in
 * the queue; a campaign would fill it.
 */
export function shareOut(
  turn: Pick<Turn, 'freeSlots' | 'dueCalls' | 'campaignSlots' | 'campaigns'>,
  mayCall: (lane: CampaignLane) => boolean = () => true,
  lines: LineRoom = EVERY_LINE_FREE,
): Shares {
  const single = Math.min(Math.max(1, turn.freeSlots), turn.dueCalls, MOST_PER_TURN);
  const slots = Math.min(turn.freeSlots - single, turn.campaignSlots, MOST_PER_TURN - single);
  return { single, campaigns: shareByWeight(turn.campaigns.filter(mayCall), Math.max(0, slots), lines) };
}

/**
 * One slot after the other goes to the campaign that is owed most. For each, every campaign that could use it is owed its
 * weight's part of it, and the one that gets it owes a slot: over many slots each has its weight's part of them.
 */
function shareByWeight(
  lanes: readonly CampaignLane[],
  slots: number,
  lines: LineRoom,
): ReadonlyMap<CampaignId, CampaignShare> {
  const left = new Map(lines.left);
  const open = lanes.map((lane) => {
    const { campaignId } = lane;
    const needs = lines.needs.get(campaignId) ?? [];
    return {
      lane,
      needs,
      room: roomOf(lane),
      most: lines.most.get(campaignId) ?? Infinity,
      calls: 0,
      deficit: lane.deficit,
    };
  });
  const lacksLine = ({ needs, most, calls }: (typeof open)[number]) =>
    calls >= most || needs.some((name) => (left.get(name) ?? 0) <= 0);
  for (let slot = 0; slot < slots; slot += 1) {
    const able = open.filter((each) => each.calls < each.room && !lacksLine(each));
    const weights = able.reduce((sum, { lane }) => sum + lane.weight, 0);
    for (const each of able) each.deficit += each.lane.weight / weights;
    const next = able.reduce<(typeof open)[number] | null>(
      (most, each) => (most === null || each.deficit > most.deficit ? each : most),
      null,
    );
    if (next === null) break;
    next.calls += 1;
    next.deficit -= 1;
    for (const name of next.needs) left.set(name, (left.get(name) ?? 0) - 1);
  }
  return new Map(
    open.map((each) => {
      const { lane, calls, deficit, room } = each;
      return [lane.campaignId, { calls, deficit, lacksLine: calls === 0 && room > 0 && lacksLine(each) }];
    }),
  );
}

/** How many calls the campaign could place now. */
function roomOf(lane: CampaignLane): number {
  const { dueCalls, contactsLeft, openCalls, admittingCalls, maxConcurrent, paceCalls, budgetLeftMicros } = lane;
  // What an earlier turn may still admit is not in the budget's account yet.
  if (budgetLeftMicros !== null && (budgetLeftMicros <= 0n || admittingCalls > 0)) return 0;
  const concurrent = maxConcurrent === null ? MOST_PER_TURN : maxConcurrent - openCalls - admittingCalls;
  return Math.max(0, Math.min(dueCalls + contactsLeft, concurrent, paceCalls ?? MOST_PER_TURN));
}
