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

/** Begins at once. A round that fails is followed by the next one: most likely a store was away. */
export function startLoop(options: LoopOptions): Loop {
  const { name, intervalMs, round, clock, logger, random } = options;
  const stopping = new AbortController();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await round(stopping.signal);
      } catch (error) {
        logger.warn({ err: error, loop: name }, 'a round failed');
      }
      await pause(clock, intervalMs * (1 - JITTER + 2 * JITTER * random()), stopping.signal);
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
