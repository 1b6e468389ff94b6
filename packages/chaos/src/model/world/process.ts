import type { Clock } from '@outdial/kernel';
import type { Runs, WorldClock } from './clock.ts';

/** A process of the product: it may be stopped and continued, or killed. */
export interface Process extends Runs {
  readonly name: string;
  readonly clock: Clock;
  state: 'running' | 'stopped' | 'gone';
}

export function startProcess(clock: WorldClock, name: string): Process {
  const process: Omit<Process, 'clock'> = { name, state: 'running' };
  return Object.assign(process, { clock: clock.viewOf(process) });
}
