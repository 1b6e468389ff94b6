import type { Clock, Logger } from '@outdial/kernel';
import { startLoop, type Loop } from './loop.ts';

/** A step looks at 2,000 rows: a million in an hour and a half. */
const STEP_INTERVAL_MS = 10_000;

export interface DialCountsLoopOptions {
  /** @returns how many rows it deleted */
  readonly step: () => Promise<number>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes counts of dials that no cap counts any more, a few at a time. */
export function startDialCounts({ step, clock, logger }: DialCountsLoopOptions): Loop {
  const { random } = Math;
  const round = async () => {
    const count = await step();
    if (count > 0) logger.debug({ event: 'dial_counts.swept', count }, 'old counts of dials were deleted');
  };
  return startLoop({ name: 'dial counts', intervalMs: STEP_INTERVAL_MS, round, clock, logger, random });
}
