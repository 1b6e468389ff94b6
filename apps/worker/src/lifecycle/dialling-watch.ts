import type { Clock, Logger } from '@outdial/kernel';
import { startLoop, type Loop } from '../loops/loop.ts';
import { oneAtATime } from '../loops/one-at-a-time.ts';

export interface DiallingWatchOptions {
  readonly isPaused: () => Promise<boolean>;
  readonly onChanged: (isPaused: boolean) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Tracks whether dialing is paused, so that calls stay in the queue. Correctness does not depend on it: the claim
 * checks the pause itself.
 */
export interface DiallingWatch {
  /** An announcement arrived. */
  look(): void;
  start(): Loop;
}

/** An operator who resumes dialing expects dials within a second, even if Redis lost the announcement. */
const LOOK_INTERVAL_MS = 500;

export function createDiallingWatch({ isPaused, onChanged, clock, logger }: DiallingWatchOptions): DiallingWatch {
  let known = false;

  const look = oneAtATime(async () => {
    const paused = await isPaused();
    if (paused === known) return;
    known = paused;
    if (paused) logger.warn({ event: 'dialing.paused' }, 'dialing is paused: calls wait in the queue');
    else logger.warn({ event: 'dialing.resumed' }, 'dialing has resumed');
    onChanged(paused);
  });

  return {
    look: () =>
      void look().catch((error: unknown) =>
        logger.debug({ event: 'dialing.read_failed', err: error }, 'the dialing pause could not be read'),
      ),
    start: () =>
      startLoop({ name: 'dialling', intervalMs: LOOK_INTERVAL_MS, round: look, clock, logger, random: Math.random }),
  };
}
