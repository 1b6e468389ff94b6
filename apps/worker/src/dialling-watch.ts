import type { Clock, Logger } from '@outdial/kernel';
import { startLoop, type Loop } from './loops/loop.ts';
import { oneAtATime } from './loops/one-at-a-time.ts';

export interface DiallingWatchOptions {
  readonly isPaused: () => Promise<boolean>;
  readonly onChanged: (isPaused: boolean) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Knows whether dialling is paused, so that calls stay in the queue meanwhile. No dial rests on it: the claim asks. */
export interface DiallingWatch {
  /** Something was announced. */
  look(): void;
  start(): Loop;
}

/** Whoever lets dialling go on expects dials within a second, also where Redis lost the announcement. */
const LOOK_INTERVAL_MS = 500;

export function createDiallingWatch({ isPaused, onChanged, clock, logger }: DiallingWatchOptions): DiallingWatch {
  let known = false;

  const look = oneAtATime(async () => {
    const paused = await isPaused();
    if (paused === known) return;
    known = paused;
    logger.warn(paused ? 'dialling is paused: calls wait' : 'dialling goes on');
    onChanged(paused);
  });

  return {
    look: () => void look().catch((error: unknown) => logger.debug({ err: error }, 'dialling watch')),
    start: () =>
      startLoop({ name: 'dialling', intervalMs: LOOK_INTERVAL_MS, round: look, clock, logger, random: Math.random }),
  };
}
