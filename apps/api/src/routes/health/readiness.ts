import type { Gate } from '@outdial/calls';
import type { Readiness } from './handler.ts';

export interface ReadinessDeps {
  /** Rejects if Postgres does not answer at once. */
  readonly pingPostgres: () => Promise<void>;
  readonly gate: Pick<Gate, 'state'>;
  readonly requestRebuild: () => void;
  /** Whether the first request would be answered as fast as any. */
  readonly isWarm: () => boolean;
}

/** Asks the stores themselves. A closed gate is asked to be rebuilt: after a start nobody else may come by. */
export function createReadinessCheck(deps: ReadinessDeps): () => Promise<Readiness> {
  const gateState = async () => {
    try {
      return (await deps.gate.state()).open ? 'open' : 'closed';
    } catch {
      return 'unknown';
    }
  };
  const postgresState = () =>
    deps.pingPostgres().then(
      () => 'up' as const,
      () => 'away' as const,
    );

  return async function checkReadiness() {
    const [postgres, gate] = await Promise.all([postgresState(), gateState()]);
    if (gate === 'closed') deps.requestRebuild();
    const storesAreUp = postgres === 'up' && gate === 'open';
    return { postgres, redis: gate === 'unknown' ? 'away' : 'up', gate, warm: storesAreUp && deps.isWarm() };
  };
}
