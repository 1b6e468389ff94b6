import type { CallId } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createRounds } from './rounds.ts';

/** A call that clients of this process follow. */
export interface Followed<Follower> {
  readonly callId: CallId;
  readonly followers: Set<Follower>;
}

export interface FollowedCallsOptions<Follower, Call extends Followed<Follower>> {
  readonly clock: Clock;
  /** The most calls of one read. */
  readonly maxCallsOfRead: number;
  readonly newCall: (callId: CallId) => Call;
  /** Reads the news of these calls, and delivers them. */
  readonly read: (calls: readonly Call[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

export interface FollowedCalls<Follower, Call> {
  /**
   * Reads what the follower lacks without waiting for the next round.
   * @returns a function that ends the subscription.
   */
  follow(callId: CallId, follower: Follower): () => void;
  /** The call of this id, if it has a follower. */
  find(id: string): Call | undefined;
  /** A call may have changed. */
  hint(callId: CallId): void;
  stop(): Promise<void>;
}

const ROUND_MS = 1_000;

/**
 * One read per round for all followers. One query per follower would be one a second each, with or without news.
 */
export function createFollowedCalls<Follower, Call extends Followed<Follower>>(
  options: FollowedCallsOptions<Follower, Call>,
): FollowedCalls<Follower, Call> {
  const { clock, maxCallsOfRead, newCall, read, onError } = options;
  // Keyed by text, so that thousands of hinted ids can be looked up without parsing each.
  const followed = new Map<string, Call>();

  const rounds = createRounds<CallId>({
    clock,
    everyMs: ROUND_MS,
    isWanted: () => followed.size > 0,
    onError,
    async read(hinted) {
      const calls = hinted ? [...hinted].flatMap((callId) => followed.get(callId) ?? []) : [...followed.values()];
      for (let start = 0; start < calls.length; start += maxCallsOfRead) {
        // A subscription may have ended while the calls before were read.
        const watched = calls.slice(start, start + maxCallsOfRead).filter(({ followers }) => followers.size > 0);
        if (watched.length > 0) await read(watched);
      }
    },
  });

  return {
    follow(callId, follower) {
      const call = followed.get(callId) ?? newCall(callId);
      followed.set(callId, call);
      call.followers.add(follower);
      rounds.begin();
      rounds.hint(callId);
      return () => {
        call.followers.delete(follower);
        if (call.followers.size === 0 && followed.get(callId) === call) followed.delete(callId);
      };
    },
    find: (id) => followed.get(id),
    hint: (callId) => rounds.hint(callId),
    stop: () => rounds.stop(),
  };
}
