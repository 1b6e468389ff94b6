import type { Logger } from '@outdial/kernel';
import { connectForWaiting, connectPatiently, pingForWriting } from '@outdial/queue';
import type { Redis } from 'ioredis';

export interface RedisConnections {
  /** The gate, dial marks, and the queue as its producer. */
  readonly commands: Redis;
  /** BullMQ's. */
  readonly consumer: Redis;
  /** End requests. */
  readonly subscriber: Redis;
  /** Rejects unless every connection stands and Redis takes writes. */
  ping(): Promise<void>;
  /** Hears of each connection that is lost, and of each attempt to connect again that fails. */
  onLost(listener: () => void): void;
  close(): void;
}

export function connectRedis(redisUrl: string, logger: Logger): RedisConnections {
  const connections = {
    commands: connectPatiently(redisUrl),
    consumer: connectForWaiting(redisUrl),
    subscriber: connectForWaiting(redisUrl),
  };
  const all = Object.values(connections);
  for (const [use, redis] of Object.entries(connections)) {
    // ioredis reconnects by itself and says every attempt.
    redis.on('error', (error: Error) => logger.debug({ err: error, use }, 'Redis connection'));
  }
  return {
    ...connections,
    async ping() {
      // They come back one after the other; the last one decides when everything works again.
      if (all.some(({ status }) => status !== 'ready')) throw new Error('Redis is not connected');
      await pingForWriting(connections.commands);
    },
    onLost(listener) {
      for (const redis of all) redis.on('close', listener);
    },
    close() {
      for (const redis of all) redis.disconnect();
    },
  };
}
