import { CALL_QUEUE } from '@outdial/contracts';
import { pause, type Clock, type Logger } from '@outdial/kernel';
import { DelayedError, WaitingError, Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';

/** What became of a call's job. `later`: bring it again after that long. */
export type JobOutcome = { readonly kind: 'done' } | { readonly kind: 'later'; readonly afterMs: number };

export interface JobWorkerOptions {
  readonly redis: Redis;
  readonly prefix: string;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly concurrency: number;
  /** Never rejects. */
  readonly handle: (job: Job) => Promise<JobOutcome>;
}

/** One BullMQ worker. The consumer replaces it if it is wedged, without touching the calls that it has taken. */
export interface JobWorker {
  handling(): number;
  setConcurrency(concurrency: number): void;
  /** Takes nothing more; keeps the locks of what is being handled. */
  stopTaking(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Long against a blocked event loop, short against a crash: the jobs of a killed process run again elsewhere after at
 * most the two together.
 */
const LOCK_MS = 30_000;
const STALLED_CHECK_MS = 10_000;

/** BullMQ fails a job that stalled more often. A call's end is decided by its row, never by its job. */
const MAX_STALLED_COUNT = 1_000_000;

/** BullMQ waits for Redis without end when it closes. */
const CLOSE_WITHIN_MS = 2_000;

export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { logger } = options;
  let handling = 0;
  let taking = true;

  async function take(job: Job, token: string | undefined): Promise<void> {
    // A fetch that was under way when the taker stopped still brings its job: leave it to somebody else.
    if (!taking) return putBack(job, token);
    handling += 1;
    try {
      const outcome = await options.handle(job);
      if (outcome.kind === 'later') await putOff(job, token, outcome.afterMs);
    } finally {
      handling -= 1;
    }
  }

  const worker = new Worker(CALL_QUEUE, take, {
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
  worker.on('error', (error) => logger.debug({ err: error }, 'call consumer'));
  worker.on('lockRenewalFailed', (jobIds) => logger.warn({ jobIds }, 'jobs lost their locks'));
  worker.run().catch((error: unknown) => logger.error({ err: error }, 'call consumer stopped'));

  return {
    handling: () => handling,
    setConcurrency: (concurrency) => (worker.concurrency = concurrency),
    async stopTaking() {
      taking = false;
      await worker.pause(true);
    },
    async close() {
      // What is still being handled is not waited for: its job runs again elsewhere, and finds the call leased.
      await Promise.race([worker.close(handling > 0), pause(options.clock, CLOSE_WITHIN_MS)]);
    },
  };
}

async function putOff(job: Job, token: string | undefined, afterMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + afterMs, token);
  throw new DelayedError();
}

async function putBack(job: Job, token: string | undefined): Promise<never> {
  await job.moveToWait(token);
  throw new WaitingError();
}
