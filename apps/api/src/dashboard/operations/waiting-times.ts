import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { MinuteOfWaiting, OperationsReader } from '@outdial/persistence';

/** How long calls waited, at the latest reading. */
export interface WaitingTimes {
  /** Never rejects. Resolves at once if there is a reading. */
  latest(): Promise<readonly MinuteOfWaiting[]>;
}

/** A summary of an hour is the most expensive figure of the page, and changes by the minute. */
const MAX_AGE_MS = 10_000;
/** How long a request waits for the first reading. */
const PATIENCE_MS = 300;

export function createWaitingTimes(deps: {
  readonly reader: Pick<OperationsReader, 'waiting'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): WaitingTimes {
  const { reader, clock, logger } = deps;
  let known: readonly MinuteOfWaiting[] | undefined;
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAtMs = clock.monotonicMs();
    try {
      known = await reader.waiting();
    } catch (error) {
      logger.debug({ event: 'waiting_times.read_failed', err: error }, 'waiting times not read');
    } finally {
      reading = undefined;
    }
  }

  return {
    async latest() {
      if (clock.monotonicMs() - readAtMs >= MAX_AGE_MS) reading ??= read();
      if (known === undefined && reading) await Promise.race([reading, pause(clock, PATIENCE_MS)]);
      return known ?? [];
    },
  };
}
