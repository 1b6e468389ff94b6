import { pause, type Clock } from '@outdial/kernel';
import type { ServiceEnd, ServiceProcess } from './service-process.ts';

export interface SupervisedService {
  /** Resolves when the service will not run any more: it was stopped, or it failed too often in a row. */
  readonly finished: Promise<'stopped' | 'gave_up'>;
  /** The process that runs now, or ran last. */
  current(): ServiceProcess;
  /** Asks it to end and resolves once it has. It is not started again. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  readonly start: () => ServiceProcess;
  readonly clock: Clock;
  /** Told of every end that was not asked for. `restartInMs` is undefined for the last of too many. */
  readonly onEnd: (end: ServiceEnd, restartInMs: number | undefined) => void;
}

/** A service that lived this long was well: its next failure is the first again. */
const WELL_AFTER_MS = 60_000;
const FAILURES_IN_A_ROW = 5;
const FIRST_BACKOFF_MS = 1_000;

/** Starts a service and starts it again when it ends by itself, each time after twice the wait. */
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
