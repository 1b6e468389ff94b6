import { pause, type Clock, type Logger } from '@outdial/kernel';

/** Work that is done again and again until it is stopped. */
export interface Loop {
  /** Resolves once the round under way is over. */
  stop(): Promise<void>;
}

export interface LoopOptions {
  readonly name: string;
  readonly intervalMs: number;
  /** @param stopping aborts once the loop is to stop: a long round ends early then. */
  readonly round: (stopping: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** 0 to 1. */
  readonly random: () => number;
}

/** The pause between rounds varies by this share either way, so that workers started together do not sweep together. */
const JITTER = 0.2;
/** A round that failed is made again after this, however seldom it comes: most likely a store was away. */
const LONGEST_PAUSE_AFTER_FAILURE_MS = 60_000;

/** Begins at once. A round that fails is followed by the next one. */
export function startLoop(options: LoopOptions): Loop {
  const { name, intervalMs, round, clock, logger, random } = options;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = intervalMs;
      try {
        await round(stopping.signal);
      } catch (error) {
        logger.warn({ err: error, loop: name }, 'a round failed');
        pauseMs = Math.min(intervalMs, LONGEST_PAUSE_AFTER_FAILURE_MS);
      }
      await pause(clock, pauseMs * (1 - JITTER + 2 * JITTER * random()), stopping.signal);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
