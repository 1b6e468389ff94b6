import type { Logger, RedisAccess } from '@outdial/kernel';
import {
  connectForCommands,
  connectForWaiting,
  connectPatiently,
  notConnected,
  onConnectionLost,
  pingForWriting,
  type RedisClient,
  watchConnectionFailures,
} from '@outdial/queue';

export interface RedisConnections {
  /** For the gate, dial marks, and the queue as its producer. */
  readonly commands: RedisClient;
  /** For BullMQ's consumer. */
  readonly consumer: RedisClient;
  /** For end requests, and whatever else is announced. */
  readonly subscriber: RedisClient;
  /** For the sound of live calls and of tries, which is dropped while Redis is away. No call needs it. */
  readonly sound: RedisClient;
  /** Receives what people at a microphone say. */
  readonly microphones: RedisClient;
  /** Rejects unless every connection that calls need is ready and Redis accepts writes. */
  ping(): Promise<void>;
  /** Called for each lost connection, and for each attempt to reconnect that fails. */
  onLost(listener: () => void): void;
  close(): void;
}

export function connectRedis(access: RedisAccess, logger: Logger): RedisConnections {
  const needed = {
    commands: connectPatiently(access),
    consumer: connectForWaiting(access),
    subscriber: connectForWaiting(access),
  };
  const connections = { ...needed, sound: connectForCommands(access), microphones: connectForWaiting(access) };
  const all = Object.values(connections);
  for (const [use, redis] of Object.entries(connections)) {
    // ioredis reconnects on its own and reports every attempt.
    redis.on('error', (error: Error) =>
      logger.debug({ event: 'redis.connection_failed', err: error, use }, 'Redis connection'),
    );
  }
  const failures = watchConnectionFailures(Object.values(needed));
  return {
    ...connections,
    async ping() {
      // The connections become ready one after the other; only the last one means that everything works again.
      if (Object.values(needed).some(({ status }) => status !== 'ready')) throw notConnected(failures.last());
      await pingForWriting(needed.commands);
    },
    onLost(listener) {
      for (const redis of all) onConnectionLost(redis, listener);
    },
    close() {
      for (const redis of all) redis.disconnect();
    },
  };
}
