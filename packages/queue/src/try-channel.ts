import type { TryId } from '@outdial/contracts';
import { DEFAULT_QUEUE_PREFIX, tryStream } from './keys.ts';
import type { RedisClient } from './redis-client.ts';

/** A text with its place in its stream. */
export interface TryText {
  readonly id: string;
  readonly text: string;
}

/**
 * Carries a conversation in text between the browser's API process and the worker. It may be lost with Redis: what a try
 * costs is in Postgres.
 */
export interface TryChannel {
  /** To the worker. Returns how many were sent in all. */
  send(tryId: TryId, text: string): Promise<number>;
  /** From the worker, in order: all texts or none. There is at least one. Returns the last one's id. */
  report(tryId: TryId, texts: readonly string[]): Promise<string>;
  /** What was sent to the worker after that place; `0` is the beginning. */
  sentAfter(tryId: TryId, id: string): Promise<readonly TryText[]>;
  reportedAfter(tryId: TryId, id: string): Promise<readonly TryText[]>;
}

/** Longer than any try. */
const KEPT_MS = 900_000;
/** Far more than a conversation of five minutes has. */
const MAX_ENTRIES = 10_000;
const PER_READ = 500;

export function createTryChannel(options: { readonly redis: RedisClient; readonly prefix?: string }): TryChannel {
  const { redis, prefix = DEFAULT_QUEUE_PREFIX } = options;

  /** Returns the id of the last one. */
  async function add(key: string, texts: readonly string[]): Promise<string> {
    const pipeline = redis.multi();
    for (const text of texts) pipeline.xadd(key, 'MAXLEN', '~', MAX_ENTRIES, '*', 'text', text);
    pipeline.pexpire(key, KEPT_MS);
    const replies = await pipeline.exec();
    for (const [error] of replies ?? []) if (error) throw error;
    const [, id] = replies?.[texts.length - 1] ?? [];
    return String(id);
  }

  async function after(key: string, id: string): Promise<readonly TryText[]> {
    const entries = await redis.xrange(key, id === '0' ? '-' : `(${id}`, '+', 'COUNT', PER_READ);
    return entries.map(([at, [, text = '']]) => ({ id: at, text }));
  }

  return {
    async send(tryId, text) {
      const key = tryStream(prefix, tryId, 'messages');
      await add(key, [text]);
      return redis.xlen(key);
    },
    report: (tryId, texts) => add(tryStream(prefix, tryId, 'events'), texts),
    sentAfter: (tryId, id) => after(tryStream(prefix, tryId, 'messages'), id),
    reportedAfter: (tryId, id) => after(tryStream(prefix, tryId, 'events'), id),
  };
}
