import { pause, type Clock, type Logger } from '@outdial/kernel';
import type { Expose } from '@outdial/metrics';
import { drain, type DrainDeps } from './drain.ts';
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
  readonly exposeMetrics: Expose;
  /** Call once. Lets live calls end until `hurry` aborts or the drain's limit has passed. Never rejects. */
  stop(hurry: AbortSignal): Promise<void>;
}

export interface WorkerParts extends Pick<DrainDeps, 'driver' | 'consumer'> {
  readonly intake: CallIntake;
  readonly registration: Pick<Registration, 'start' | 'stopping' | 'leave'>;
  /** What must be available before the first call is taken. */
  readonly prepare: () => Promise<void>;
  readonly startLoops: () => readonly Loop[];
  /** What may take seconds beside the last calls. Never rejects. */
  readonly finishSending: () => Promise<void>;
  /** Uploads the last recordings, until `hurry` aborts or its own limit has passed. Never rejects. */
  readonly finishUploads: (hurry: AbortSignal) => Promise<void>;
  /** Logs that the worker works, and at what. */
  readonly announceStart: () => void;
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
    parts.announceStart();
  }

  async function stop(hurry: AbortSignal): Promise<void> {
    intake.stop();
    registration.stopping();
    const looping = Promise.all(loops.map((loop) => loop.stop()));
    await Promise.all([drain(parts, parts.drainLimitMs, hurry), parts.finishSending()]);
    await parts.finishUploads(hurry);
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
