import type { CallEvent, TimelinePosition, TimelineReader } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createRounds } from './rounds.ts';

export interface TimelineHubOptions {
  readonly clock: Clock;
  readonly reader: TimelineReader;
  readonly onError: (error: unknown) => void;
}

type OnEvents = (events: readonly CallEvent[]) => void;

/** Follows the timelines of calls for everybody in this process who wants to see one grow. */
export interface TimelineHub {
  /**
   * Hands over each event after `position`, in order and once, as soon as it is known. A store that is away delays
   * events and loses none. @returns what ends it.
   */
  follow(position: TimelinePosition, onEvents: OnEvents): () => void;
  /** A call may have changed. */
  hint(callId: CallId): void;
  stop(): Promise<void>;
}

interface Follower {
  /** Id of the last event that it was given. */
  after: bigint;
  readonly onEvents: OnEvents;
}

const ROUND_MS = 1_000;
/** A statement carries no more than this; what is more goes with one right after it. */
const MAX_POSITIONS = 5_000;

/** One statement a round, however many follow: a query for each of them would be one a second each, news or not. */
export function createTimelineHub({ clock, reader, onError }: TimelineHubOptions): TimelineHub {
  const followersOf = new Map<CallId, Set<Follower>>();

  const rounds = createRounds({
    clock,
    everyMs: ROUND_MS,
    isWanted: () => followersOf.size > 0,
    onError,
    async read(hinted) {
      const callIds = [...(hinted ?? followersOf.keys())];
      for (let start = 0; start < callIds.length; start += MAX_POSITIONS) {
        await readOn(callIds.slice(start, start + MAX_POSITIONS));
      }
    },
  });

  async function readOn(callIds: readonly CallId[]): Promise<void> {
    const positions = callIds.flatMap((callId) => positionOf(callId) ?? []);
    if (positions.length === 0) return;
    for (const [callId, events] of await reader.readAfter(positions)) {
      for (const follower of followersOf.get(callId) ?? []) give(follower, events);
    }
  }

  /** That of whoever has seen least; null if nobody follows it any more. */
  function positionOf(callId: CallId): TimelinePosition | null {
    let least: bigint | null = null;
    for (const { after } of followersOf.get(callId) ?? []) if (least === null || after < least) least = after;
    return least === null ? null : { callId, afterId: least.toString() };
  }

  return {
    follow({ callId, afterId }, onEvents) {
      const follower: Follower = { after: BigInt(afterId), onEvents };
      const followers = followersOf.get(callId) ?? new Set();
      followersOf.set(callId, followers.add(follower));
      rounds.begin();
      // What came since the position was taken is not waited for until the next round.
      rounds.hint(callId);
      return () => {
        followers.delete(follower);
        if (followers.size === 0 && followersOf.get(callId) === followers) followersOf.delete(callId);
      };
    },
    hint(callId) {
      if (followersOf.has(callId)) rounds.hint(callId);
    },
    stop: () => rounds.stop(),
  };
}

/** Only what the follower has not seen: others may stand further back, and one may have come while it was read. */
function give(follower: Follower, events: readonly CallEvent[]): void {
  const fresh = events.filter(({ id }) => BigInt(id) > follower.after);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.after = BigInt(last.id);
  follower.onEvents(fresh);
}
