import type { CallDriver } from '@outdial/calls';
import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { CallConsumer } from '@outdial/queue';
import { drain } from './drain.ts';
import type { Loop } from '../loops/loop.ts';
import type { WorkerReadiness } from '../stores/readiness.ts';
import type { Registration } from './registration.ts';
import type { CallIntake } from './call-intake.ts';

/** Drives calls from `start` to `stop`. */
export interface Worker {
  /** Starts to take calls once Redis is available. @throws GateUnsupportedError */
  start(): Promise<void>;
  /** Whether it runs and both stores work. Also true while dialing is paused. */
  checkReadiness(): Promise<WorkerReadiness>;
  /** The worker's metrics in Prometheus text format. */
  readonly exposeMetrics: () => Promise<string>;
  /** Call once. Lets live calls end until `hurry` aborts or the drain's limit has passed. Never rejects. */
  stop(hurry: AbortSignal): Promise<void>;
}

export interface WorkerParts {
  readonly driver: CallDriver;
  readonly consumer: CallConsumer;
  readonly intake: CallIntake;
  readonly registration: Pick<Registration, 'start' | 'stopping' | 'leave'>;
  /** What must be available before the first call is taken. */
  readonly prepare: () => Promise<void>;
  readonly startLoops: () => readonly Loop[];
  readonly exposeMetrics: Worker['exposeMetrics'];
  readonly checkStores: () => Promise<Omit<WorkerReadiness, 'started'>>;
  /** Closes every connection. */
  readonly close: () => Promise<void>;
  readonly drainLimitMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A store that is away must not keep a worker alive that has ended all its calls. */
const CLOSE_WITHIN_MS = 3_000;

export function createWorker(parts: WorkerParts): Worker {
  const { intake, registration, clock, logger } = parts;
  let loops: readonly Loop[] = [];
  let stopping: Promise<void> | undefined;

  async function start(): Promise<void> {
    try {
      await parts.prepare();
    } catch (error) {
      // Stopped while it waited for Redis.
      if (stopping) return;
      throw error;
    }
    if (stopping) return;
    loops = parts.startLoops();
    intake.start();
    registration.start();
    logger.info({ event: 'worker.taking_calls' }, 'taking calls');
  }

  async function stop(hurry: AbortSignal): Promise<void> {
    intake.stop();
    registration.stopping();
    const looping = Promise.all(loops.map((loop) => loop.stop()));
    await drain(parts, parts.drainLimitMs, hurry);
    const closed = Promise.all([looping, registration.leave()])
      .then(parts.close)
      // Connections still open close with the process, which waits for nothing else.
      .catch((error: unknown) =>
        logger.warn({ event: 'process.close_failed', err: error }, 'a connection did not close cleanly'),
      );
    await Promise.race([closed, pause(clock, CLOSE_WITHIN_MS)]);
    logger.info({ event: 'process.stopped' }, 'stopped');
  }

  return {
    start,
    exposeMetrics: parts.exposeMetrics,
    checkReadiness: async () => ({ started: intake.isStarted, ...(await parts.checkStores()) }),
    stop: (hurry) => (stopping ??= stop(hurry)),
  };
}
