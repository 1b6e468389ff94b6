import { hostname } from 'node:os';
import type { Clock, Logger } from '@outdial/kernel';
import type { WorkerRegistry } from '@outdial/persistence';
import { startLoop, type Loop } from './loops/loop.ts';
import { oneAtATime } from './loops/one-at-a-time.ts';
import { WORKER_VERSION } from './version.ts';

export interface RegistrationOptions {
  readonly registry: WorkerRegistry;
  readonly workerId: string;
  readonly concurrency: number;
  readonly liveCalls: () => number;
  /** An operator has asked it to drain, or not to any more. */
  readonly onDrain: (shouldDrain: boolean) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Lets operators see this worker, and hears what they want of it. No call rests on it. */
export interface Registration {
  start(): void;
  /** Something was announced. */
  look(): void;
  /** The process ends, and is shown as long as it has calls. */
  stopping(): void;
  /** The last thing that it does. */
  leave(): Promise<void>;
}

const TELL_INTERVAL_MS = 2_000;

export function createRegistration(options: RegistrationOptions): Registration {
  const { registry, workerId: id, concurrency, liveCalls, onDrain, clock, logger } = options;
  const startedAtMs = clock.nowMs();
  const host = hostname();
  let isStopping = false;
  let hasLeft = false;
  let drains = false;
  let loop: Loop | undefined;

  const tell = oneAtATime(async () => {
    if (hasLeft) return;
    try {
      const report = { id, host, version: WORKER_VERSION, startedAtMs, concurrency, isStopping };
      const { shouldDrain } = await registry.report({ ...report, liveCalls: liveCalls() });
      if (shouldDrain === drains) return;
      drains = shouldDrain;
      logger.warn(shouldDrain ? 'draining: no more calls are taken' : 'calls are taken again');
      onDrain(shouldDrain);
    } catch (error) {
      logger.debug({ err: error }, 'the worker could not tell of itself');
    }
  });

  return {
    start() {
      loop ??= startLoop({
        name: 'registration',
        intervalMs: TELL_INTERVAL_MS,
        round: tell,
        clock,
        logger,
        random: Math.random,
      });
    },
    look: () => void tell(),
    stopping() {
      isStopping = true;
      if (loop) void tell();
    },
    async leave() {
      hasLeft = true;
      await loop?.stop();
      // What was under way would enter it anew.
      await tell();
      await registry.leave(id).catch((error: unknown) => logger.debug({ err: error }, 'the worker could not sign off'));
    },
  };
}
