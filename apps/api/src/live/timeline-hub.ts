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

interface Followed {
  readonly callId: CallId;
  readonly followers: Set<Follower>;
}

const ROUND_MS = 1_000;
/** The most events of one statement. A further statement reads the rest at once. */
const MAX_POSITIONS = 5_000;

/**
 * One statement per round for all followers. One query per follower would be one a second each, with or without news.
 */
export function createTimelineHub({ clock, reader, onError }: TimelineHubOptions): TimelineHub {
  // Keyed by text, so that thousands of hinted ids can be looked up without parsing each.
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
    for (const [callId, events] of await reader.readAfter(positions)) {
      for (const follower of followed.get(callId)?.followers ?? []) give(follower, events);
    }
  }

  return {
    follow({ callId, afterId }, onEvents) {
      const follower: Follower = { after: BigInt(afterId), onEvents };
      const call = followed.get(callId) ?? { callId, followers: new Set() };
      followed.set(callId, call);
      call.followers.add(follower);
      rounds.begin();
      // Read what came since the position now, without waiting for the next round.
      rounds.hint(callId);
      return () => {
        call.followers.delete(follower);
        if (call.followers.size === 0 && followed.get(callId) === call) followed.delete(callId);
      };
    },
    follows: (id) => followed.has(id),
    hint(callId) {
      if (followed.has(callId)) rounds.hint(callId);
    },
    stop: () => rounds.stop(),
  };
}

/** The position of the follower that is furthest behind; null if the call has no follower left. */
function positionOf({ callId, followers }: Followed): TimelinePosition | null {
  let least: bigint | null = null;
  for (const { after } of followers) if (least === null || after < least) least = after;
  return least === null ? null : { callId, afterId: least.toString() };
}

/** Only what the follower has not seen: others may be further behind, and one may have joined during the read. */
function give(follower: Follower, events: readonly CallEvent[]): void {
  const fresh = events.filter(({ id }) => BigInt(id) > follower.after);
  const last = fresh.at(-1);
  if (last === undefined) return;
  follower.after = BigInt(last.id);
  follower.onEvents(fresh);
}
