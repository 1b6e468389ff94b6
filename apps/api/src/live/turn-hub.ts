import type { TurnPosition, TurnReader } from '@outdial/calls';
import type { CallId, LiveTurn } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createFollowedCalls, type Followed } from './followed-calls.ts';

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

interface SpokenCall extends Followed<Follower> {
  /** The last announcement, for followers that lack turns before it. */
  announced: readonly LiveTurn[];
}

/** The most calls of one statement. */
const MAX_POSITIONS = 1_000;

/** Announcements need no statement; a round reads what they did not bring. */
export function createTurnHub({ clock, reader, onError }: TurnHubOptions): TurnHub {
  const calls = createFollowedCalls<Follower, SpokenCall>({
    clock,
    maxCallsOfRead: MAX_POSITIONS,
    newCall: (callId) => ({ callId, followers: new Set(), announced: [] }),
    async read(followed) {
      const stored = await reader.readFrom(followed.map(positionOf));
      for (const { callId, followers, announced } of followed) {
        for (const follower of followers) {
          give(follower, stored.get(callId) ?? []);
          if (follows(follower, announced)) give(follower, announced);
        }
      }
    },
    onError,
  });
  return {
    follow: ({ callId, fromIndex }, onTurns) => calls.follow(callId, { next: fromIndex, onTurns }),
    follows: (id) => calls.find(id) !== undefined,
    said(callId, turns) {
      const call = calls.find(callId);
      if (call === undefined) return;
      call.announced = turns;
      for (const follower of call.followers) {
        if (follows(follower, turns)) give(follower, turns);
        else calls.hint(callId);
      }
    },
    stop: () => calls.stop(),
  };
}

/** The position of the follower that is furthest behind. */
function positionOf({ callId, followers }: Followed<Follower>): TurnPosition {
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
