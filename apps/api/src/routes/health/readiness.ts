import type { Admission } from '@outdial/admission';
import { walTimelineState, type Gate, type GateState, type WalTimelineState } from '@outdial/calls';
import type { Database } from '@outdial/persistence';
import type { Readiness } from './handler.ts';

export interface ReadinessDeps {
  readonly database: Pick<Database, 'ping' | 'walTimeline'>;
  readonly redis: { readonly ping: () => Promise<unknown> };
  readonly gate: Pick<Gate, 'state'>;
  readonly admission: Pick<Admission, 'requestRebuild' | 'isWarm'>;
}

/**
 * Checks the stores themselves. Requests the rebuild of a closed gate: after a start no other request may arrive to do
 * so.
 */
export function createReadinessCheck({ database, redis, gate, admission }: ReadinessDeps): () => Promise<Readiness> {
  return async function checkReadiness() {
    const [gateState, isPostgresUp, isRedisUp, timeline] = await Promise.all([
      orNull(gate.state()),
      succeeds(database.ping()),
      succeeds(redis.ping()),
      orNull(database.walTimeline()),
    ]);
    const gateIs = gateState === null ? 'unknown' : gateState.open ? 'open' : 'closed';
    if (gateIs === 'closed') admission.requestRebuild();
    return {
      postgres: isPostgresUp ? 'up' : 'away',
      redis: isRedisUp && gateState !== null ? 'up' : 'away',
      gate: gateIs,
      timeline: compare(gateState, timeline),
      warm: isPostgresUp && isRedisUp && gateIs === 'open' && admission.isWarm(),
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
