import { pause, type Clock, type Logger } from '@outdial/kernel';

export interface WarmUpDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Walks the path of a create request. Rejects if it cannot reach the end. */
  readonly walk: () => Promise<void>;
}

/** Keeps the process ready for requests, from the moment the stores answer. */
export interface WarmUp {
  /** Whether the first request would be answered as fast as any other. */
  readonly isWarm: () => boolean;
  /** Call at the start, and whenever a connection to a store is lost: walks until a walk succeeds. */
  begin(): void;
  /** Resolves when no walk is running. None starts after that. */
  stop(): Promise<void>;
}

/** Delay after a walk that failed because a store was away. */
const PAUSE_MS = 200;

/**
 * A new process opens connections, loads scripts and compiles code on first use, which together may take longer than
 * the second in which a request must be answered. The same holds after a process has lost its connections.
 */
export function createWarmUp({ clock, logger, walk }: WarmUpDeps): WarmUp {
  const stopped = new AbortController();
  let warm = false;
  let isRequested = false;
  let walking: Promise<void> | null = null;

  /** A warm process stays warm until a walk fails: an idle connection may also be closed without an outage. */
  async function walkUntilWarm(): Promise<void> {
    while ((isRequested || !warm) && !stopped.signal.aborted) {
      isRequested = false;
      try {
        await walk();
        if (!warm) logger.info({ event: 'process.ready' }, 'ready for requests');
        warm = true;
      } catch (error) {
        logger.debug({ event: 'process.warm_up_failed', err: error }, 'the warm-up walk failed');
        warm = false;
        await pause(clock, PAUSE_MS, stopped.signal);
      }
    }
    walking = null;
  }

  return {
    isWarm: () => warm,
    begin() {
      isRequested = true;
      walking ??= walkUntilWarm();
    },
    async stop() {
      stopped.abort();
      await walking;
    },
  };
}
