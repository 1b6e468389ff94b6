import type { Logger, RedisAccess } from '@outdial/kernel';
import {
  connectForCommands,
  connectForWaiting,
  notConnected,
  onConnectionLost,
  pingForWriting,
  type RedisClient,
  watchConnectionFailures,
} from '@outdial/queue';
import { assertGateSupport, GateUnsupportedError } from '@outdial/reservations';

export interface RedisConnections {
  readonly gate: RedisClient;
  readonly queue: RedisClient;
  readonly rateLimit: RedisClient;
  /** Receives hints about changed calls. */
  readonly changes: RedisClient;
  /** Receives the sound of live calls that members listen to, and of tries. */
  readonly sound: RedisClient;
  /** Sends what people at a microphone say. */
  readonly microphones: RedisClient;
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
  access: RedisAccess,
  logger: Logger,
  onUnsupported: (error: GateUnsupportedError) => void,
): RedisConnections {
  const gate = connectForCommands(access);
  const queue = connectForCommands(access);
  const rateLimit = connectForCommands(access, { commandTimeoutMs: RATE_LIMIT_TIMEOUT_MS });
  const needed = [gate, queue, rateLimit];
  const connections = {
    gate,
    queue,
    rateLimit,
    changes: connectForWaiting(access),
    sound: connectForWaiting(access),
    microphones: connectForCommands(access),
  };
  const all = Object.values(connections);
  for (const [job, redis] of Object.entries(connections)) {
    // ioredis reconnects on its own and reports every attempt.
    redis.on('error', (error: Error) =>
      logger.debug({ event: 'redis.connection_failed', err: error, job }, 'Redis connection'),
    );
  }
  gate.once('ready', () => void checkSupport(gate, logger, onUnsupported));
  const failures = watchConnectionFailures(needed);
  return {
    ...connections,
    async ping() {
      // The connections become ready one after the other; only the last one means that everything works again.
      if (needed.some(({ status }) => status !== 'ready')) throw notConnected(failures.last());
      await pingForWriting(gate);
    },
    onLost(listener) {
      for (const redis of all) onConnectionLost(redis, listener);
    },
    close() {
      for (const redis of all) redis.disconnect();
    },
  };
}

async function checkSupport(
  redis: RedisClient,
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
