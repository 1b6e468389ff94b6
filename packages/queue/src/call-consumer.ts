import { CALL_QUEUE, callJobSchema, type CallId } from '@outdial/contracts';
import type { Clock, Logger, Timer } from '@outdial/kernel';
import { Queue, type Job } from 'bullmq';
import { createJobWorker, type JobOutcome, type JobWorker, type JobWorkerOptions } from './job-worker.ts';
import { DEFAULT_QUEUE_PREFIX, type QueueName } from './keys.ts';
import type { RedisClient } from './redis-client.ts';
import { createStallDetector } from './stall-detector.ts';

export interface CallConsumerOptions {
  /** From `connectForWaiting`. The caller closes it. */
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly prefix?: string;
  /** The queue of the calls to drive, unless given. */
  readonly name?: QueueName;
  /** The maximum number of calls that are handled at once. */
  readonly concurrency: number;
  /** Re-entrant: BullMQ may deliver a call again while it is being handled, here or elsewhere, and after it has ended. */
  readonly handle: (callId: CallId) => Promise<JobOutcome>;
  /** Lets a test provide a BullMQ worker that stalls. */
  readonly createWorker?: (options: JobWorkerOptions) => JobWorker;
}

export interface CallConsumer {
  /** May be called again after `stopTaking`. */
  start(): void;
  /** Takes no more calls. Calls that are being handled continue. */
  stopTaking(): Promise<void>;
  /** Does not wait for calls that are still being handled. */
  close(): Promise<void>;
  handling(): number;
}

/** After a handler threw: probably a store is away. */
const RETRY_AFTER_MS = 2_000;
const CHECK_INTERVAL_MS = 5_000;

/** Takes calls off the queue, as long as there is room for them. */
export function createCallConsumer(options: CallConsumerOptions): CallConsumer {
  const { redis, logger, clock, prefix = DEFAULT_QUEUE_PREFIX, name = CALL_QUEUE } = options;
  const { createWorker = createJobWorker } = options;
  const queue = new Queue(name, { connection: redis, prefix });
  queue.on('error', (error) => logger.debug({ event: 'queue.connection_failed', err: error }, 'call queue'));
  const stallDetector = createStallDetector(clock);
  const retired = new Set<JobWorker>();
  let isWanted = false;
  let current: JobWorker | undefined;
  let checkTimer: Timer | undefined;

  const workers = () => [...retired, ...(current ? [current] : [])];
  const handling = () => workers().reduce((sum, worker) => sum + worker.handling(), 0);

  /** Gives the current worker the room that retired workers leave, so that the process never exceeds its concurrency. */
  function makeRoom(): void {
    let room = options.concurrency;
    for (const worker of retired) room -= worker.handling();
    if (room < 1) return;
    if (current) current.setConcurrency(room);
    else current = createWorker({ redis, prefix, name, logger, clock, concurrency: room, handle });
  }

  async function handle(job: Job): Promise<JobOutcome> {
    stallDetector.taken();
    const parsed = callJobSchema.safeParse(job.data);
    if (!parsed.success) {
      logger.error({ event: 'queue.job_dropped', jobId: job.id }, 'dropped a job without a call');
      return { kind: 'done' };
    }
    try {
      return await options.handle(parsed.data.call_id);
    } catch (error) {
      logger.error({ event: 'queue.job_failed', err: error, callId: parsed.data.call_id }, 'call will be tried again');
      return { kind: 'later', afterMs: RETRY_AFTER_MS };
    }
  }

  async function check(): Promise<void> {
    const waiting = await queue.getWaitingCount();
    for (const worker of retired) if (worker.handling() === 0) await discard(worker);
    // Redis may have answered only after the consumer was stopped.
    if (!isWanted) return;
    makeRoom();
    if (!current || !stallDetector.isStalled({ waiting, room: options.concurrency - handling() })) return;
    // The process must not end: it owns live calls. The stalled worker continues to renew the locks of its jobs.
    logger.warn(
      { event: 'queue.consumer_replaced', waiting },
      'no call was taken although calls wait: the BullMQ worker is replaced',
    );
    const stalled = current;
    retire();
    makeRoom();
    await stalled.stopTaking();
  }

  function retire(): void {
    if (current) retired.add(current);
    current = undefined;
  }

  async function discard(worker: JobWorker): Promise<void> {
    retired.delete(worker);
    await worker.close();
  }

  function scheduleCheck(): void {
    const timer = clock.after(CHECK_INTERVAL_MS, () => {
      void check()
        .catch((error: unknown) => logger.debug({ event: 'queue.connection_failed', err: error }, 'call queue'))
        // Another timer may have been set while Redis delayed this check: there must be only one.
        .finally(() => checkTimer === timer && scheduleCheck());
    });
    checkTimer = timer;
  }

  function stopChecking(): void {
    isWanted = false;
    checkTimer?.cancel();
    checkTimer = undefined;
  }

  return {
    handling,
    start() {
      if (isWanted) return;
      isWanted = true;
      makeRoom();
      // A consumer that was not started cannot have stalled.
      stallDetector.taken();
      scheduleCheck();
    },
    async stopTaking() {
      stopChecking();
      const stopping = workers();
      retire();
      await Promise.all(stopping.map((worker) => worker.stopTaking()));
    },
    async close() {
      stopChecking();
      await Promise.all(workers().map((worker) => worker.close()));
      await queue.close();
    },
  };
}
