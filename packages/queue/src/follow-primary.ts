import { systemClock } from '@outdial/kernel';
import type { Redis } from 'ioredis';
import { isDemoted } from './redis-away.ts';

/** The connections of this process to one address, and when they were last sent to look for the primary. */
interface Companions {
  readonly connections: Set<Redis>;
  reconnectedAtMs: number;
}

/** An address may lead to the demoted server for a while: its connections are not renewed more often than this. */
const RECONNECT_INTERVAL_MS = 500;

const companionsByAddress = new Map<string, Companions>();

/**
 * Makes a connection, and each duplicate of it, leave a Redis that was demoted to a replica. Its address then leads to
 * another server, but a connection that stays open still reaches the old one and gets `READONLY` for every write.
 *
 * One refusal renews all connections of the process to that address. Otherwise each connection would find out on its
 * own, and the log would report an outage several times. The refused command is not sent again: its caller retries.
 */
export function followPrimary(redis: Redis): Redis {
  const companions = companionsOf(redis);
  companions.connections.add(redis);
  redis.on('connecting', () => companions.connections.add(redis));
  redis.on('end', () => companions.connections.delete(redis));
  redis.options.reconnectOnError = (error) => {
    if (isDemoted(error)) renew(companions);
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

function companionsOf({ options }: Redis): Companions {
  const address = options.path ?? `${options.host}:${options.port}`;
  const known = companionsByAddress.get(address);
  if (known) return known;
  const companions: Companions = { connections: new Set(), reconnectedAtMs: -Infinity };
  companionsByAddress.set(address, companions);
  return companions;
}

function renew(companions: Companions): void {
  const nowMs = systemClock.monotonicMs();
  if (nowMs - companions.reconnectedAtMs < RECONNECT_INTERVAL_MS) return;
  companions.reconnectedAtMs = nowMs;
  for (const redis of companions.connections) if (redis.status === 'ready') redis.disconnect(true);
}
