import { pause, type Clock, type Logger } from '@outdial/kernel';

export interface WarmUpDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Walks the way of a request. Rejects if it cannot be walked to its end. */
  readonly walk: () => Promise<void>;
}

/** Keeps the process ready for requests, beginning by itself as soon as the stores answer. */
export interface WarmUp {
  /** Whether the first request would be answered as fast as any. */
  readonly isWarm: () => boolean;
  /** To be called at the start, and whenever a connection to a store was lost: walks until it succeeds. */
  begin(): void;
  /** Resolves when no walk is under way; there will be no other. */
  stop(): Promise<void>;
}

/** Between walks that did not succeed, a store being away. */
const PAUSE_MS = 200;

/**
 * A new process opens connections, loads scripts and compiles on first use, which together may take longer than the
 * second in which a request must be answered; so may a process whose connections were lost.
 */
export function createWarmUp({ clock, logger, walk }: WarmUpDeps): WarmUp {
  const stopped = new AbortController();
  let warm = false;
  let asked = false;
  let walking: Promise<void> | null = null;

  /** Whoever was warm stays so until a walk says otherwise: a connection is also lost by being idle for long. */
  async function walkOn(): Promise<void> {
    while ((asked || !warm) && !stopped.signal.aborted) {
      asked = false;
      try {
        await walk();
        if (!warm) logger.info('ready for requests');
        warm = true;
      } catch (error) {
        logger.debug({ err: error }, 'not warm');
        warm = false;
        await pause(clock, PAUSE_MS, stopped.signal);
      }
    }
    walking = null;
  }

  return {
    isWarm: () => warm,
    begin() {
      asked = true;
      walking ??= walkOn();
    },
    async stop() {
      stopped.abort();
      await walking;
    },
  };
}
