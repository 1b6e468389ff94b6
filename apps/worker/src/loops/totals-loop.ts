import type { Clock, Logger } from '@outdial/kernel';
import { startLoop, type Loop } from './loop.ts';

/** Reads include the calls not yet counted, and get slower with their number. */
const COUNT_INTERVAL_MS = 5_000;

export interface TotalsLoopOptions {
  readonly count: (stopping: AbortSignal) => Promise<unknown>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Counts ended calls into the totals of their accounts. */
export function startTotals({ count, clock, logger }: TotalsLoopOptions): Loop {
  const { random } = Math;
  return startLoop({ name: 'totals', intervalMs: COUNT_INTERVAL_MS, round: count, clock, logger, random });
}
