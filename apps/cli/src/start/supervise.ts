import { pause, type Clock } from '@outdial/kernel';
import type { ServiceEnd, ServiceProcess } from './service-process.ts';

export interface SupervisedService {
  /** Resolves when the service will not run again: it was stopped, or it failed too often in a row. */
  readonly finished: Promise<'stopped' | 'gave_up'>;
  /** The running process, or the last one. */
  current(): ServiceProcess;
  /** Asks the service to end, and resolves once it has. It is not restarted. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  readonly start: () => ServiceProcess;
  readonly clock: Clock;
  /** Called for every unexpected exit. `restartInMs` is undefined when the service is given up. */
  readonly onEnd: (end: ServiceEnd, restartInMs: number | undefined) => void;
}

/** A service that ran this long was healthy: its next failure counts as the first. */
const WELL_AFTER_MS = 60_000;
const FAILURES_IN_A_ROW = 5;
const FIRST_BACKOFF_MS = 1_000;

/** Starts a service and restarts it when it ends by itself, each time after twice the delay. */
export function supervise(options: SuperviseOptions): SupervisedService {
  const { start, clock, onEnd } = options;
  const stopping = new AbortController();
  let process = start();
  const keepRunning = async (): Promise<'stopped' | 'gave_up'> => {
    for (let failures = 1; ; failures += 1) {
      const startedAtMs = clock.monotonicMs();
      const end = await process.ended;
      if (stopping.signal.aborted) return 'stopped';
      if (clock.monotonicMs() - startedAtMs >= WELL_AFTER_MS) failures = 1;
      if (failures >= FAILURES_IN_A_ROW) {
        onEnd(end, undefined);
        return 'gave_up';
      }
      const backoffMs = FIRST_BACKOFF_MS * 2 ** (failures - 1);
      onEnd(end, backoffMs);
      await pause(clock, backoffMs, stopping.signal);
      if (stopping.signal.aborted) return 'stopped';
      process = start();
    }
  };
  return {
    finished: keepRunning(),
    current: () => process,
    async stop() {
      stopping.abort();
      process.signal('SIGTERM');
      await process.ended;
    },
  };
}
