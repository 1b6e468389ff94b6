import { walTimelineState, type Gate, type WalTimelineState } from '@outdial/calls';
import { type Clock, withDeadline } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';
import type { RedisConnections } from './redis-connections.ts';

/** What a worker needs to drive calls. The gate may be closed: accepted calls are driven all the same. */
export interface WorkerReadiness {
  /** False until the worker first takes calls, and from its shutdown on. */
  readonly started: boolean;
  /** `away` also while Postgres accepts no writes or confirms no commits. */
  readonly postgres: 'up' | 'away';
  readonly redis: 'up' | 'away';
  /** `unknown` while Postgres or Redis is away. */
  readonly timeline: WalTimelineState | 'unknown';
}

export function isReady({ started, postgres, redis, timeline }: WorkerReadiness): boolean {
  return started && postgres === 'up' && redis === 'up' && timeline === 'current';
}

export interface ReadinessDeps {
  readonly database: Pick<Database, 'ping' | 'walTimeline'>;
  readonly redis: Pick<RedisConnections, 'ping'>;
  readonly gate: Pick<Gate, 'state'>;
  readonly clock: Clock;
}

/** A worker waits longer for Redis than a client of its health endpoint does. */
const ANSWER_WITHIN_MS = 1_500;

/** Checks the stores themselves. Never rejects. */
export async function checkStores(deps: ReadinessDeps): Promise<Omit<WorkerReadiness, 'started'>> {
  const { database, redis, clock } = deps;
  const byMs = clock.monotonicMs() + ANSWER_WITHIN_MS;
  const inTime = <Answer>(work: Promise<Answer>) => withDeadline(clock, byMs, work);
  const [isPostgresUp, isRedisUp, timeline] = await Promise.all([
    succeeds(inTime(database.ping())),
    succeeds(inTime(redis.ping())),
    inTime(compareTimelines(deps)).catch(() => 'unknown' as const),
  ]);
  return { postgres: isPostgresUp ? 'up' : 'away', redis: isRedisUp ? 'up' : 'away', timeline };
}

async function compareTimelines({ database, gate }: ReadinessDeps): Promise<WalTimelineState> {
  const [{ token }, timeline] = await Promise.all([gate.state(), database.walTimeline()]);
  return walTimelineState(token, timeline);
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}
