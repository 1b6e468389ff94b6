import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { MinuteOfWaiting, OperationsReader, ScheduleFigures } from '@outdial/persistence';

/** How long calls waited, and what is scheduled. */
export interface SlowReading {
  readonly waiting: readonly MinuteOfWaiting[];
  /** Null: not read yet. */
  readonly schedule: ScheduleFigures | null;
}

/** The figures of the page that cost most, at the latest reading. */
export interface SlowFigures {
  /** Never rejects. Resolves at once if there is a reading. */
  latest(): Promise<SlowReading>;
}

/** They summarize an hour and all that is scheduled, and change slowly. */
const MAX_AGE_MS = 10_000;
/** How long a request waits for the first reading. */
const PATIENCE_MS = 300;
const NOT_READ: SlowReading = { waiting: [], schedule: null };

export function createSlowFigures(deps: {
  readonly reader: Pick<OperationsReader, 'waiting' | 'schedule'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): SlowFigures {
  const { reader, clock, logger } = deps;
  let known: SlowReading | undefined;
  let readAtMs = -Infinity;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAtMs = clock.monotonicMs();
    try {
      const [waiting, schedule] = await Promise.all([reader.waiting(), reader.schedule()]);
      known = { waiting, schedule };
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
      return known ?? NOT_READ;
    },
  };
}
