import { walTimelineState, type Gate, type GateState, type WalTimelineState } from '@outdial/calls';
import type { Readiness } from './handler.ts';

export interface ReadinessDeps {
  /** Rejects unless Postgres accepts and confirms writes at once. */
  readonly pingPostgres: () => Promise<void>;
  /** The WAL timeline of the Postgres that this process works with. */
  readonly postgresTimeline: () => Promise<string>;
  /** Rejects unless Redis accepts writes at once. */
  readonly pingRedis: () => Promise<void>;
  readonly gate: Pick<Gate, 'state'>;
  readonly requestRebuild: () => void;
  /** Whether the first request would be answered as fast as any other. */
  readonly isWarm: () => boolean;
}

/**
 * Checks the stores themselves. Requests the rebuild of a closed gate: after a start no other request may arrive to do
 * so.
 */
export function createReadinessCheck(deps: ReadinessDeps): () => Promise<Readiness> {
  const { gate, pingPostgres, pingRedis, postgresTimeline } = deps;

  return async function checkReadiness() {
    const [gateState, isPostgresUp, isRedisUp, timeline] = await Promise.all([
      orNull(gate.state()),
      succeeds(pingPostgres()),
      succeeds(pingRedis()),
      orNull(postgresTimeline()),
    ]);
    const gateIs = gateState === null ? 'unknown' : gateState.open ? 'open' : 'closed';
    if (gateIs === 'closed') deps.requestRebuild();
    return {
      postgres: isPostgresUp ? 'up' : 'away',
      redis: isRedisUp && gateState !== null ? 'up' : 'away',
      gate: gateIs,
      timeline: compare(gateState, timeline),
      warm: isPostgresUp && isRedisUp && gateIs === 'open' && deps.isWarm(),
    };
  };
}

function compare(gate: GateState | null, postgres: string | null): WalTimelineState | 'unknown' {
  return gate === null || postgres === null ? 'unknown' : walTimelineState(gate.token, postgres);
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

function orNull<Value>(work: Promise<Value>): Promise<Value | null> {
  return work.catch(() => null);
}
