import { rebuildGate, type RebuildGateDeps } from '@outdial/calls';
import { pause, type Clock } from '@outdial/kernel';

export interface GateRebuildOptions extends RebuildGateDeps {
  readonly clock: Clock;
  /** Rejects if Postgres does not answer at once. */
  readonly pingPostgres: () => Promise<void>;
}

export interface GateRebuild {
  /** Begins a rebuild in the background, unless one is under way. */
  readonly request: () => void;
  /** Resolves when none is under way; there will be no other. */
  stop(): Promise<void>;
}

/** With a store away every refused request asks for a rebuild: it is tried a few times a second, not once per request. */
const PAUSE_MS = 200;

/** Rebuilds the gate in the background, one attempt at a time. What this process misses, a worker's loop does. */
export function createGateRebuild(deps: GateRebuildOptions): GateRebuild {
  const stopped = new AbortController();
  let underWay: Promise<void> | null = null;

  async function attempt(): Promise<void> {
    // Asked first: one that was begun keeps everybody from beginning another for as long as Postgres lets it wait.
    await deps.pingPostgres();
    await rebuildGate(deps);
  }

  async function rebuild(): Promise<void> {
    await attempt().catch((error: unknown) => {
      deps.logger.warn({ err: error }, 'gate not rebuilt');
    });
    await pause(deps.clock, PAUSE_MS, stopped.signal);
    underWay = null;
  }

  return {
    request() {
      if (!stopped.signal.aborted) underWay ??= rebuild();
    },
    async stop() {
      stopped.abort();
      await underWay;
    },
  };
}
