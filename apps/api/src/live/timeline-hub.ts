import type { CallEvent, TimelinePosition, TimelineReader } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createFollowedCalls, type Followed } from './followed-calls.ts';

export interface TimelineHubOptions {
  readonly clock: Clock;
  readonly reader: TimelineReader;
  readonly onError: (error: unknown) => void;
}

type OnEvents = (events: readonly CallEvent[]) => void;

/** Follows the timelines of calls for all clients of this process that watch one grow. */
export interface TimelineHub {
  /**
   * Delivers each event after `position`, in order and once, as soon as it is known. A store that is away delays events
   * and loses none.
   * @returns a function that ends the subscription.
   */
  follow(position: TimelinePosition, onEvents: OnEvents): () => void;
  /** Whether the call of this id has a follower. */
  follows(id: string): boolean;
  /** A call may have changed. */
  hint(callId: CallId): void;
  stop(): Promise<void>;
}

interface Follower {
  /** Id of the last event delivered to it. */
  after: bigint;
  readonly onEvents: OnEvents;
}

/** The most calls of one statement. A further statement reads the rest at once. */
const MAX_POSITIONS = 5_000;

export function createTimelineHub({ clock, reader, onError }: TimelineHubOptions): TimelineHub {
  const calls = createFollowedCalls<Follower, Followed<Follower>>({
    clock,
    maxCallsOfRead: MAX_POSITIONS,
    newCall: (callId) => ({ callId, followers: new Set() }),
    async read(followed) {
      for (const [callId, events] of await reader.readAfter(followed.map(positionOf))) {
        for (const follower of calls.find(callId)?.followers ?? []) give(follower, events);
      }
    },
    onError,
  });
  return {
    follow: ({ callId, afterId }, onEvents) => calls.follow(callId, { after: BigInt(afterId), onEvents }),
    follows: (id) => calls.find(id) !== undefined,
    hint(callId) {
      if (calls.find(callId) !== undefined) calls.hint(callId);
    },
    stop: () => calls.stop(),
  };
}

/** The position of the follower that is furthest behind. */
function positionOf({ callId, followers }: Followed<Follower>): TimelinePosition {
  const least = [...followers].map(({ after }) => after).reduce((one, other) => (other < one ? other : one));
  return { callId, afterId: least.toString() };
}

/** Only what the follower has not seen: others may be further behind, and one may have joined during the read. */
function give(follower: Follower, events: readonly CallEvent[]): void {
  const fresh = events.filter(({ id }) => BigInt(id) > follower.after);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.after = BigInt(last.id);
  follower.onEvents(fresh);
}
