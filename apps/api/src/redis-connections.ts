import type { Logger } from '@outdial/kernel';
import { connectForCommands, connectForWaiting, pingForWriting } from '@outdial/queue';
import { assertGateSupport, GateUnsupportedError } from '@outdial/reservations';
import type { Redis } from 'ioredis';

export interface RedisConnections {
  readonly gate: Redis;
  readonly queue: Redis;
  readonly rateLimit: Redis;
  /** Hears which calls have changed. */
  readonly changes: Redis;
  /** Rejects unless every connection that a request needs stands and Redis takes writes. */
  ping(): Promise<void>;
  /** Hears of each connection that is lost, and of each attempt to connect again that fails. */
  onLost(listener: () => void): void;
  close(): void;
}

/** A request waits no longer than this to be counted in Redis; then it is counted in memory. */
const RATE_LIMIT_TIMEOUT_MS = 150;

/**
 * A connection for each job: commands of one connection wait for each other, and a release must come after the reserve
 * it undoes while a batch of jobs must come after nothing.
 * @param onUnsupported hears if this Redis can never carry the gate.
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
  const connections = { gate, queue, rateLimit, changes: connectForWaiting(redisUrl) };
  const all = Object.values(connections);
  for (const [job, redis] of Object.entries(connections)) {
    // ioredis reconnects by itself and says every attempt.
    redis.on('error', (error: Error) => logger.debug({ err: error, job }, 'Redis connection'));
  }
  gate.once('ready', () => void checkSupport(gate, logger, onUnsupported));
  return {
    ...connections,
    async ping() {
      // They come back one after the other; the last one decides when everything works again.
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
    for (const warning of await assertGateSupport(redis)) logger.warn(warning);
  } catch (error) {
    if (error instanceof GateUnsupportedError) onUnsupported(error);
    // Away again: it is looked at when it is back.
    else redis.once('ready', () => void checkSupport(redis, logger, onUnsupported));
  }
}
