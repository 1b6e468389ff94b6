import { systemClock } from '@outdial/kernel';
import type { Redis } from 'ioredis';
import { isDemoted } from './redis-away.ts';

/** The connections of this process to one address, and when they were last renewed. */
interface ConnectionGroup {
  readonly connections: Set<Redis>;
  reconnectedAtMs: number;
}

/** An address may lead to the demoted server for a while: its connections are renewed no more often than this. */
const RECONNECT_INTERVAL_MS = 500;

const groupsByAddress = new Map<string, ConnectionGroup>();

/**
 * Makes a connection, and each duplicate of it, leave a Redis that was demoted to a replica. Its address then leads to
 * another server, but a connection that stays open still reaches the old one and gets `READONLY` for every write.
 *
 * One rejection renews all connections of the process to that address. Otherwise each connection would find out
 * separately, and the log would report an outage several times. The rejected command is not re-sent: its caller retries.
 */
export function followPrimary(redis: Redis): Redis {
  const group = groupOf(redis);
  group.connections.add(redis);
  redis.on('connecting', () => group.connections.add(redis));
  redis.on('end', () => group.connections.delete(redis));
  redis.options.reconnectOnError = (error) => {
    if (isDemoted(error)) renew(group);
    return false;
  };
  const duplicate = redis.duplicate.bind(redis);
  redis.duplicate = (override) => {
    const copy = duplicate(override);
    followPrimary(copy);
    return copy;
  };
  return redis;
}

function groupOf({ options }: Redis): ConnectionGroup {
  const sentinels = options.sentinels?.map(({ host, port }) => `${host}:${port}`).join(',');
  const address = options.path ?? (sentinels ? `${sentinels}/${options.name}` : `${options.host}:${options.port}`);
  const known = groupsByAddress.get(address);
  if (known) return known;
  const group: ConnectionGroup = { connections: new Set(), reconnectedAtMs: -Infinity };
  groupsByAddress.set(address, group);
  return group;
}

function renew(group: ConnectionGroup): void {
  const nowMs = systemClock.monotonicMs();
  if (nowMs - group.reconnectedAtMs < RECONNECT_INTERVAL_MS) return;
  group.reconnectedAtMs = nowMs;
  for (const redis of group.connections) if (redis.status === 'ready') redis.disconnect(true);
}
