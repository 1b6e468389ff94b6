import type { Expiring } from '@outdial/identity/sweep';
import type { Clock, Logger } from '@outdial/kernel';
import { startLoop, type Loop } from './loop.ts';

/** Expired sessions and links let no user sign in; they only take up space. */
const SWEEP_INTERVAL_MS = 3_600_000;

export interface SweepLoopOptions {
  readonly sweep: (stopping: AbortSignal) => Promise<Readonly<Record<Expiring, number>>>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes expired sessions and links, at the start and once an hour. */
export function startSweep({ sweep, clock, logger }: SweepLoopOptions): Loop {
  const round = async (stopping: AbortSignal) => {
    const deleted = await sweep(stopping);
    if (Object.values(deleted).some((count) => count > 0))
      logger.info({ event: 'sessions.swept', deleted }, 'expired sessions and links deleted');
  };
  const { random } = Math;
  return startLoop({ name: 'sweep', intervalMs: SWEEP_INTERVAL_MS, round, clock, logger, random });
}
