import type { CallQueue } from '@outdial/calls';
import { CALL_QUEUE, type CallId, type CallJob } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import { Queue } from 'bullmq';
import { DEFAULT_QUEUE_PREFIX, jobKey, type QueueName } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

export interface CallQueueOptions {
  /** From `connectForCommands`: an add must fail while Redis is away, because a late one is useless. */
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly prefix?: string;
  /** The queue of the calls to drive, unless given. */
  readonly name?: QueueName;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
}

export interface OwnedCallQueue extends CallQueue {
  /** Number of jobs by state. */
  counts(): Promise<QueueCounts>;
  /** BullMQ's own view, read-only: the truth about a call is in Postgres. */
  inspect(): Queue;
  /** Leaves the connection open; the caller closes it. */
  close(): Promise<void>;
}

const JOB_NAME = 'call';

/** The maximum number of commands per pipeline. */
const JOBS_PER_PIPELINE = 500;

/** The queue for its producers: the API, and the processes that queue lost calls again. */
export function createCallQueue(options: CallQueueOptions): OwnedCallQueue {
  const { redis, logger, prefix = DEFAULT_QUEUE_PREFIX, name = CALL_QUEUE } = options;
  let opened: Queue | undefined;

  const open = (): Queue => {
    if (opened) return opened;
    const queue = new Queue(name, {
      connection: redis,
      prefix,
      // A finished job that stayed would turn the next add of its call into a no-op.
      defaultJobOptions: { removeOnComplete: true, removeOnFail: true, attempts: 1 },
    });
    queue.on('error', (error) => logger.debug({ event: 'queue.connection_failed', err: error }, 'call queue'));
    // BullMQ asks Redis for its version once. If that fails, every later add would fail with it.
    queue.waitUntilReady().catch(() => {
      if (opened === queue) opened = undefined;
      // Its listeners on the connection, which outlives it, would stay.
      queue
        .close()
        .catch((error: unknown) => logger.debug({ event: 'queue.connection_failed', err: error }, 'call queue'));
    });
    opened = queue;
    return queue;
  };

  return {
    async add(callIds) {
      for (const ids of chunks(callIds)) await open().addBulk(ids.map((callId) => jobOf(callId)));
    },
    async missing(callIds) {
      const missing: CallId[] = [];
      for (const ids of chunks(callIds))
        missing.push(...(await missingOf(redis, (callId) => jobKey(prefix, name, callId), open(), ids)));
      return missing;
    },
    async counts() {
      const { waiting = 0, delayed = 0, active = 0 } = await open().getJobCounts('waiting', 'delayed', 'active');
      return { waiting, delayed, active };
    },
    inspect: open,
    close: async () => opened?.close(),
  };
}

function jobOf(callId: CallId) {
  const data: CallJob = { call_id: callId };
  return { name: JOB_NAME, data, opts: { jobId: callId } };
}

/** A job's hash exists as long as the job; `finishedOn` in it means that the job is over. */
async function missingOf(
  redis: RedisClient,
  keyOf: (callId: CallId) => string,
  queue: Queue,
  ids: readonly CallId[],
): Promise<CallId[]> {
  const pipeline = redis.pipeline();
  for (const callId of ids) pipeline.hmget(keyOf(callId), 'timestamp', 'finishedOn');
  const replies = await pipeline.exec();
  const missing: CallId[] = [];
  for (const [index, callId] of ids.entries()) {
    const [error, fields] = replies?.[index] ?? [new Error('the pipeline returned fewer replies than commands')];
    if (error) throw error;
    const [timestamp, finishedOn] = Array.isArray(fields) ? fields : [];
    if (timestamp && !finishedOn) continue;
    if (finishedOn) await queue.remove(callId);
    missing.push(callId);
  }
  return missing;
}

function* chunks<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += JOBS_PER_PIPELINE) {
    yield items.slice(start, start + JOBS_PER_PIPELINE);
  }
}
