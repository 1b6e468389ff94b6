import { systemClock, type Clock } from '@outdial/kernel';
import type { Redis } from 'ioredis';

/** Between the end of a connection and the next attempt. */
const AGAIN_AFTER_MS = 50;

/**
 * ioredis closes some connections for good although no code in this process closed them. This opens them again, and their
 * duplicates.
 *
 * `failoverDetector` closes a connection when the Sentinels announce another primary, also one that is being opened at that
 * moment because the old primary is dead. ioredis takes that for the wish of its user, and such a connection stays closed for
 * ever: every command fails, until the process is restarted.
 */
export function stayConnected(redis: Redis, clock: Pick<Clock, 'after'> = systemClock): Redis {
  let isClosed = false;
  const disconnect = redis.disconnect.bind(redis);
  redis.disconnect = (reconnect = false) => {
    if (!reconnect) isClosed = true;
    disconnect(reconnect);
  };
  const quit = redis.quit.bind(redis);
  redis.quit = (callback) => {
    isClosed = true;
    return quit(callback);
  };
  const connect = redis.connect.bind(redis);
  redis.connect = (callback) => {
    // BullMQ closes the connection of a worker that pauses, and opens it again.
    if (redis.status === 'end') isClosed = false;
    return connect(callback);
  };
  redis.on('end', () => {
    if (isClosed) return;
    clock.after(AGAIN_AFTER_MS, () => {
      // A failure ends the connection again.
      if (!isClosed && redis.status === 'end') redis.connect().catch(() => undefined);
    });
  });
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => stayConnected(duplicate(override), clock);
  return redis;
}
