import { rebuildGate, type RebuildGateDeps } from '@outdial/calls';
import { pause, type Clock } from '@outdial/kernel';
import type { Database } from '@outdial/persistence';

export interface GateRebuildOptions extends RebuildGateDeps {
  readonly clock: Clock;
  readonly database: Pick<Database, 'ping'>;
}

export interface GateRebuild {
  /** Starts a rebuild in the background, unless one is running. */
  readonly request: () => void;
  /** Resolves when no rebuild is running. None starts after that. */
  stop(): Promise<void>;
}

/** While a store is away every rejected request asks for a rebuild. Attempts are limited to a few a second. */
const PAUSE_MS = 200;

/** Rebuilds the gate in the background, one attempt at a time. If this process fails, a worker's loop rebuilds it. */
export function createGateRebuild(deps: GateRebuildOptions): GateRebuild {
  const stopped = new AbortController();
  let running: Promise<void> | null = null;

  async function attempt(): Promise<void> {
    // Check Postgres first: a rebuild that has started blocks every other process for as long as Postgres lets it wait.
    await deps.database.ping();
    await rebuildGate(deps);
  }

  async function rebuild(): Promise<void> {
    await attempt().catch((error: unknown) => {
      deps.logger.warn({ event: 'gate.rebuild_failed', err: error }, 'the gate was not rebuilt');
    });
    await pause(deps.clock, PAUSE_MS, stopped.signal);
    running = null;
  }

  return {
    request() {
      if (!stopped.signal.aborted) running ??= rebuild();
    },
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
