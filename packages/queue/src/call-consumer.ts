import { CALL_QUEUE, callJobSchema, type CallId } from '@outdial/contracts';
import type { Clock, Logger, Timer } from '@outdial/kernel';
import { Queue, type Job } from 'bullmq';
import type { Redis } from 'ioredis';
import { createJobWorker, type JobOutcome, type JobWorker, type JobWorkerOptions } from './job-worker.ts';
import { DEFAULT_QUEUE_PREFIX } from './keys.ts';
import { createStallDetector } from './stall-detector.ts';

export interface CallConsumerOptions {
  /** From `connectForWaiting`. Stays the caller's to close. */
  readonly redis: Redis;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly prefix?: string;
  /** The most calls that are handled at once. */
  readonly concurrency: number;
  /** Re-entrant: BullMQ may bring a call again while it is being handled, here or elsewhere, and after it has ended. */
  readonly handle: (callId: CallId) => Promise<JobOutcome>;
  /** A test's wedged taker. */
  readonly createTaker?: (options: JobWorkerOptions) => JobWorker;
}

export interface CallConsumer {
  /** May be called again after `stopTaking`. */
  start(): void;
  /** Takes no more calls. Those that are being handled go on. */
  stopTaking(): Promise<void>;
  /** Leaves what is still being handled to itself. */
  close(): Promise<void>;
  handling(): number;
}

/** After a handler threw: most likely a store is away. */
const RETRY_AFTER_MS = 2_000;
const WATCH_INTERVAL_MS = 5_000;

/** Takes calls off the queue, as many at once as there is room for. */
export function createCallConsumer(options: CallConsumerOptions): CallConsumer {
  const { redis, logger, clock, prefix = DEFAULT_QUEUE_PREFIX, createTaker = createJobWorker } = options;
  const queue = new Queue(CALL_QUEUE, { connection: redis, prefix });
  queue.on('error', (error) => logger.debug({ err: error }, 'call queue'));
  const watch = createStallDetector(clock);
  const retired = new Set<JobWorker>();
  let isWanted = false;
  let current: JobWorker | undefined;
  let watchTimer: Timer | undefined;

  const takers = () => [...retired, ...(current ? [current] : [])];
  const handling = () => takers().reduce((sum, taker) => sum + taker.handling(), 0);

  /** Gives the current taker the room that retired ones leave: a process never has more calls than its setting says. */
  function makeRoom(): void {
    let room = options.concurrency;
    for (const taker of retired) room -= taker.handling();
    if (room < 1) return;
    if (current) current.setConcurrency(room);
    else current = createTaker({ redis, prefix, logger, clock, concurrency: room, handle });
  }

  async function handle(job: Job): Promise<JobOutcome> {
    watch.taken();
    const parsed = callJobSchema.safeParse(job.data);
    if (!parsed.success) {
      logger.error({ jobId: job.id }, 'a job that names no call was dropped');
      return { kind: 'done' };
    }
    try {
      return await options.handle(parsed.data.call_id);
    } catch (error) {
      logger.error({ err: error, callId: parsed.data.call_id }, 'call left to be tried again');
      return { kind: 'later', afterMs: RETRY_AFTER_MS };
    }
  }

  async function look(): Promise<void> {
    const waiting = await queue.getWaitingCount();
    for (const taker of retired) if (taker.handling() === 0) await discard(taker);
    // Redis may have answered only after somebody stopped this.
    if (!isWanted) return;
    makeRoom();
    if (!current || !watch.isWedged({ waiting, room: options.concurrency - handling() })) return;
    // Never by ending the process: it owns live calls. The wedged taker goes on renewing the locks of what it took.
    logger.warn({ waiting }, 'no call was taken though calls wait: the taker is replaced');
    const wedged = current;
    retire();
    makeRoom();
    await wedged.stopTaking();
  }

  function retire(): void {
    if (current) retired.add(current);
    current = undefined;
  }

  async function discard(taker: JobWorker): Promise<void> {
    retired.delete(taker);
    await taker.close();
  }

  function watchLater(): void {
    const timer = clock.after(WATCH_INTERVAL_MS, () => {
      void look()
        .catch((error: unknown) => logger.debug({ err: error }, 'call queue'))
        // Another watch may have begun while Redis kept this one waiting: there is to be one.
        .finally(() => watchTimer === timer && watchLater());
    });
    watchTimer = timer;
  }

  function stopWatching(): void {
    isWanted = false;
    watchTimer?.cancel();
    watchTimer = undefined;
  }

  return {
    handling,
    start() {
      if (isWanted) return;
      isWanted = true;
      makeRoom();
      // Whoever did not take was not wedged.
      watch.taken();
      watchLater();
    },
    async stopTaking() {
      stopWatching();
      const stopping = takers();
      retire();
      await Promise.all(stopping.map((taker) => taker.stopTaking()));
    },
    async close() {
      stopWatching();
      await Promise.all(takers().map((taker) => taker.close()));
      await queue.close();
    },
  };
}
