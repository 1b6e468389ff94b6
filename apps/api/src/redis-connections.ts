import type { Logger } from '@outdial/kernel';
import { connectForCommands, connectForWaiting, pingForWriting } from '@outdial/queue';
import { assertGateSupport, GateUnsupportedError } from '@outdial/reservations';
import type { Redis } from 'ioredis';

export interface RedisConnections {
  readonly gate: Redis;
  readonly queue: Redis;
  readonly rateLimit: Redis;
  /** Receives hints about changed calls. */
  readonly changes: Redis;
  /** Receives the sound of live calls that members listen to, and of tries. */
  readonly sound: Redis;
  /** Sends what people at a microphone say. */
  readonly microphones: Redis;
  /** Rejects unless every connection that a request needs is ready and Redis accepts writes. */
  ping(): Promise<void>;
  /** Called for each lost connection, and for each attempt to reconnect that fails. */
  onLost(listener: () => void): void;
  close(): void;
}

/** The longest that a request waits to be counted in Redis; then it is counted in memory. */
const RATE_LIMIT_TIMEOUT_MS = 150;

/**
 * One connection per purpose. Commands on one connection wait for each other: a release must follow the reserve that it
 * undoes, and a batch of jobs must not delay either.
 * @param onUnsupported called if this Redis can never carry the gate.
 */
export function connectRedis(
  redisUrl: string,
  logger: Logger,
  onUnsupported: (error: GateUnsupportedError) => void,
): RedisConnections {
  const gate = connectForCommands(redisUrl);
  const queue = connectForCommands(redisUrl);
  const rateLimit = gate.duplicate({ commandTimeout: RATE_LIMIT_TIMEOUT_MS });
  const needed = [gate, queue, rateLimit];
  const connections = {
    gate,
    queue,
    rateLimit,
    changes: connectForWaiting(redisUrl),
    sound: connectForWaiting(redisUrl),
    microphones: connectForCommands(redisUrl),
  };
  const all = Object.values(connections);
  for (const [job, redis] of Object.entries(connections)) {
    // ioredis reconnects on its own and reports every attempt.
    redis.on('error', (error: Error) =>
      logger.debug({ event: 'redis.connection_failed', err: error, job }, 'Redis connection'),
    );
  }
  gate.once('ready', () => void checkSupport(gate, logger, onUnsupported));
  return {
    ...connections,
    async ping() {
      // The connections become ready one after the other; only the last one means that everything works again.
      if (needed.some(({ status }) => status !== 'ready')) throw new Error('Redis is not connected');
      await pingForWriting(gate);
    },
    onLost(listener) {
      for (const redis of all) redis.on('close', listener);
    },
    close() {
      for (const redis of all) redis.disconnect();
    },
  };
}

async function checkSupport(
  redis: Redis,
  logger: Logger,
  onUnsupported: (error: GateUnsupportedError) => void,
): Promise<void> {
  try {
    for (const warning of await assertGateSupport(redis)) logger.warn({ event: 'redis.setting_risky' }, warning);
  } catch (error) {
    if (error instanceof GateUnsupportedError) onUnsupported(error);
    // Redis is away again: the check runs when it is back.
    else redis.once('ready', () => void checkSupport(redis, logger, onUnsupported));
  }
}
