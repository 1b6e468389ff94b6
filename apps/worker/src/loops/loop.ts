import { pause, type Clock, type Logger } from '@outdial/kernel';

/** Work repeated until it is stopped. */
export interface Loop {
  /** Resolves once the running round is over. */
  stop(): Promise<void>;
}

export interface HintedLoop extends Loop {
  /** There is more to do: the next round does not wait for the end of the pause. */
  hint(): void;
}

export interface LoopOptions {
  readonly name: string;
  readonly intervalMs: number;
  /** @param stopping aborts when the loop stops: a long round then ends early */
  readonly round: (stopping: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A random number from 0 to 1. */
  readonly random: () => number;
}

/** The pause varies by this share either way, so that workers started together do not run their rounds together. */
const JITTER = 0.2;
/** A failed round is retried after this delay, however long the interval is: most likely a store was away. */
const LONGEST_PAUSE_AFTER_FAILURE_MS = 60_000;

/** The first round starts at once. A failed round is followed by the next one. */
export function startLoop(options: LoopOptions): HintedLoop {
  const { name, intervalMs, round, clock, logger, random } = options;
  const stopping = new AbortController();
  let pausing = new AbortController();
  let isHinted = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pauseMs = intervalMs;
      isHinted = false;
      try {
        await round(stopping.signal);
      } catch (error) {
        logger.warn(
          { event: 'loop.round_failed', err: error, loop: name },
          'a background round failed and will be retried',
        );
        pauseMs = Math.min(intervalMs, LONGEST_PAUSE_AFTER_FAILURE_MS);
      }
      if (isHinted || stopping.signal.aborted) continue;
      pausing = new AbortController();
      await pause(clock, pauseMs * (1 - JITTER + 2 * JITTER * random()), pausing.signal);
    }
  }

  const running = run();
  return {
    hint() {
      isHinted = true;
      pausing.abort();
    },
    async stop() {
      stopping.abort();
      pausing.abort();
      await running;
    },
  };
}
