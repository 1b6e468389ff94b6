import { hostname } from 'node:os';
import type { Clock, Logger } from '@outdial/kernel';
import type { WorkerRegistry } from '@outdial/persistence';
import { startLoop, type Loop } from '../loops/loop.ts';
import { oneAtATime } from '../loops/one-at-a-time.ts';
import { WORKER_VERSION } from '../settings/version.ts';

export interface RegistrationOptions {
  readonly registry: WorkerRegistry;
  readonly workerId: string;
  readonly concurrency: number;
  readonly liveCalls: () => number;
  /** Called when an operator requests a drain, or ends it. */
  readonly onDrain: (shouldDrain: boolean) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Shows this worker to operators, and receives their requests. No call depends on it. */
export interface Registration {
  start(): void;
  /** An announcement arrived. */
  look(): void;
  /** The process is stopping. It stays visible as long as it has calls. */
  stopping(): void;
  /** The last step before the process exits. */
  leave(): Promise<void>;
}

const REPORT_INTERVAL_MS = 2_000;

export function createRegistration(options: RegistrationOptions): Registration {
  const { registry, workerId: id, concurrency, liveCalls, onDrain, clock, logger } = options;
  const startedAtMs = clock.nowMs();
  const host = hostname();
  let isStopping = false;
  let hasLeft = false;
  let drains = false;
  let loop: Loop | undefined;

  const exchange = oneAtATime(async () => {
    if (hasLeft) return;
    try {
      const report = { id, host, version: WORKER_VERSION, startedAtMs, concurrency, isStopping };
      const { shouldDrain } = await registry.report({ ...report, liveCalls: liveCalls() });
      if (shouldDrain === drains) return;
      drains = shouldDrain;
      if (shouldDrain)
        logger.warn({ event: 'worker.drain_requested' }, 'an operator drains this worker: it takes no more calls');
      else logger.warn({ event: 'worker.resumed' }, 'an operator resumed this worker: it takes calls again');
      onDrain(shouldDrain);
    } catch (error) {
      logger.debug({ event: 'worker.report_failed', err: error }, 'the worker could not report its state');
    }
  });

  return {
    start() {
      loop ??= startLoop({
        name: 'registration',
        intervalMs: REPORT_INTERVAL_MS,
        round: exchange,
        clock,
        logger,
        random: Math.random,
      });
    },
    look: () => void exchange(),
    stopping() {
      isStopping = true;
      if (loop) void exchange();
    },
    async leave() {
      hasLeft = true;
      await loop?.stop();
      // A report in flight would register the worker again.
      await exchange();
      await registry
        .leave(id)
        .catch((error: unknown) =>
          logger.debug({ event: 'worker.leave_failed', err: error }, 'the worker could not remove its registration'),
        );
    },
  };
}
