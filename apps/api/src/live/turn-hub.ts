import type { TurnPosition, TurnReader } from '@outdial/calls';
import type { CallId, LiveTurn } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createRounds } from './rounds.ts';

export interface TurnHubOptions {
  readonly clock: Clock;
  readonly reader: TurnReader;
  readonly onError: (error: unknown) => void;
}

type OnTurns = (turns: readonly LiveTurn[]) => void;

/** Follows what is said in calls for all clients of this process that watch one. */
export interface TurnHub {
  /**
   * Delivers each turn from `position` on, in order and once: as soon as it is announced, or else once it is stored. A
   * store that is away delays turns and loses none.
   * @returns a function that ends the subscription.
   */
  follow(position: TurnPosition, onTurns: OnTurns): () => void;
  /** Whether the call of this id has a follower. */
  follows(id: string): boolean;
  /** The call's worker announces consecutive turns, which may not be stored yet. */
  said(callId: CallId, turns: readonly LiveTurn[]): void;
  stop(): Promise<void>;
}

interface Follower {
  /** Index of the first turn that it has not received. */
  next: number;
  readonly onTurns: OnTurns;
}

interface Followed {
  readonly callId: CallId;
  readonly followers: Set<Follower>;
  /** The last announcement, for followers that lack turns before it. */
  announced: readonly LiveTurn[];
}

const ROUND_MS = 1_000;
/** The most calls of one statement. */
const MAX_POSITIONS = 1_000;

/** One statement per round for all followers, as for timelines. Announcements need none. */
export function createTurnHub({ clock, reader, onError }: TurnHubOptions): TurnHub {
  const followed = new Map<string, Followed>();

  const rounds = createRounds<CallId>({
    clock,
    everyMs: ROUND_MS,
    isWanted: () => followed.size > 0,
    onError,
    async read(hinted) {
      const calls = hinted ? [...hinted].flatMap((callId) => followed.get(callId) ?? []) : [...followed.values()];
      for (let start = 0; start < calls.length; start += MAX_POSITIONS) {
        await readRound(calls.slice(start, start + MAX_POSITIONS));
      }
    },
  });

  async function readRound(calls: readonly Followed[]): Promise<void> {
    const positions = calls.flatMap((call) => positionOf(call) ?? []);
    if (positions.length === 0) return;
    const stored = await reader.readFrom(positions);
    for (const { callId, followers, announced } of calls) {
      for (const follower of followers) {
        give(follower, stored.get(callId) ?? []);
        if (follows(follower, announced)) give(follower, announced);
      }
    }
  }

  return {
    follow({ callId, fromIndex }, onTurns) {
      const follower: Follower = { next: fromIndex, onTurns };
      const call = followed.get(callId) ?? { callId, followers: new Set(), announced: [] };
      followed.set(callId, call);
      call.followers.add(follower);
      rounds.begin();
      // Read what was said before now, without waiting for the next round.
      rounds.hint(callId);
      return () => {
        call.followers.delete(follower);
        if (call.followers.size === 0 && followed.get(callId) === call) followed.delete(callId);
      };
    },
    follows: (id) => followed.has(id),
    said(callId, turns) {
      const call = followed.get(callId);
      if (call === undefined) return;
      call.announced = turns;
      for (const follower of call.followers) {
        if (follows(follower, turns)) give(follower, turns);
        else rounds.hint(callId);
      }
    },
    stop: () => rounds.stop(),
  };
}

/** The position of the follower that is furthest behind; null if the call has no follower left. */
function positionOf({ callId, followers }: Followed): TurnPosition | null {
  if (followers.size === 0) return null;
  return { callId, fromIndex: Math.min(...[...followers].map(({ next }) => next)) };
}

/** Whether the follower lacks no turn before these. */
const follows = ({ next }: Follower, [first]: readonly LiveTurn[]): boolean =>
  first !== undefined && first.index <= next;

/** Only what the follower has not received. A stored turn that follows a gap closes it: what is missing was never kept. */
function give(follower: Follower, turns: readonly LiveTurn[]): void {
  const fresh = turns.filter(({ index }) => index >= follower.next);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.next = last.index + 1;
  follower.onTurns(fresh);
}
