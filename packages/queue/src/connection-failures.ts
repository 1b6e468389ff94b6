import type { RedisClient } from './redis-client.ts';

const CLOSED = 'Connection is closed.';

/**
 * Why connections do not work, for the log line of an outage: a certificate for another name is no outage that ends by
 * itself. ioredis reconnects without end, and reports each attempt only as an event.
 */
export function watchConnectionFailures(connections: readonly RedisClient[]): { readonly last: () => string | null } {
  let last: string | null = null;
  const note = ({ message }: Error) => {
    // It follows the failure that says why.
    if (message !== CLOSED || last === null) last = message;
  };
  for (const redis of connections) {
    // A cluster says of itself only that no node answers.
    redis.on(redis.isCluster ? 'node error' : 'error', note);
    redis.on('ready', () => void (last = null));
  }
  return { last: () => last };
}

/** For connections that are not ready. */
export function notConnected(failure: string | null): Error {
  return new Error(failure === null ? 'Redis is not connected' : `Redis is not connected: ${failure}`);
}
