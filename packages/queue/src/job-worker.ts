import { pause, type Clock, type Logger } from '@outdial/kernel';
import { DelayedError, WaitingError, Worker, type Job } from 'bullmq';
import type { QueueName } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** The outcome of a job. `later`: deliver it again after that time. */
export type JobOutcome = { readonly kind: 'done' } | { readonly kind: 'later'; readonly afterMs: number };

export interface JobWorkerOptions {
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly name: QueueName;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Never rejects. */
  readonly handle: (job: Job) => Promise<JobOutcome>;
}

/** One BullMQ worker. The consumer replaces it if it stalls, without touching the calls that it has taken. */
export interface JobWorker {
  handling(): number;
  setConcurrency(concurrency: number): void;
  /** Takes nothing more; keeps the locks of the jobs that are being handled. */
  stopTaking(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Long compared to a blocked event loop, short compared to a crash: the jobs of a killed process run again elsewhere
 * after at most the sum of the two.
 */
const LOCK_MS = 30_000;
const STALLED_CHECK_MS = 10_000;

/** BullMQ fails a job that stalled more often. Only the call's row decides about the call's end, never its job. */
const MAX_STALLED_COUNT = 1_000_000;

/** BullMQ waits for Redis indefinitely when it closes. */
const CLOSE_WITHIN_MS = 2_000;

export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { logger } = options;
  let handling = 0;
  let taking = true;

  async function take(job: Job, token: string | undefined): Promise<void> {
    // A fetch in flight at the stop still delivers its job: leave it to another worker.
    if (!taking) return requeueJob(job, token);
    handling += 1;
    try {
      const outcome = await options.handle(job);
      if (outcome.kind === 'later') await delayJob(job, token, outcome.afterMs);
    } finally {
      handling -= 1;
    }
  }

  const worker = new Worker(options.name, take, {
    connection: options.redis,
    prefix: options.prefix,
    concurrency: options.concurrency,
    autorun: false,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_CHECK_MS,
    maxStalledCount: MAX_STALLED_COUNT,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  worker.on('error', (error) => logger.debug({ event: 'queue.consumer_failed', err: error }, 'call consumer'));
  worker.on('lockRenewalFailed', (jobIds) =>
    logger.warn({ event: 'queue.locks_lost', jobIds }, 'jobs lost their locks'),
  );
  worker
    .run()
    .catch((error: unknown) => logger.error({ event: 'queue.consumer_stopped', err: error }, 'call consumer stopped'));

  return {
    handling: () => handling,
    setConcurrency: (concurrency) => (worker.concurrency = concurrency),
    async stopTaking() {
      taking = false;
      await worker.pause(true);
    },
    async close() {
      // Jobs that are still being handled are not waited for: they run again elsewhere, and find their calls leased.
      await Promise.race([worker.close(handling > 0), pause(options.clock, CLOSE_WITHIN_MS)]);
    },
  };
}

async function delayJob(job: Job, token: string | undefined, afterMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + afterMs, token);
  throw new DelayedError();
}

async function requeueJob(job: Job, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
