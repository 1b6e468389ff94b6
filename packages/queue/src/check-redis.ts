import { once } from 'node:events';
import { parseRedisUrl, type RedisAccess, type RedisAddress, type StoreCheckResult } from '@outdial/kernel';
import { connectForCommands } from './connect.ts';
import type { RedisClient } from './redis-client.ts';

type Refusals = readonly (readonly [RegExp, string])[];

const IS_CLUSTER = 'this Redis belongs to a cluster: begin the URL with redis+cluster://';
const REFUSALS: Refusals = [
  [/^(?:WRONGPASS|ERR AUTH|ERR invalid password)/, 'Redis rejects this user or password'],
  [/^NOAUTH/, 'Redis requires a password, and none is given'],
  // ioredis would continue in database 0, which may belong to another program.
  [/DB index is out of range/, 'Redis has no database with this number'],
  [/SELECT is not allowed in cluster mode/, IS_CLUSTER],
  [/cluster support disabled/, 'this Redis belongs to no cluster: begin the URL with redis://'],
];
const SENTINEL_REFUSALS: Refusals = [
  [
    /WRONGPASS|ERR AUTH|ERR invalid password/,
    'the Sentinels reject OUTDIAL_SENTINEL_USERNAME or OUTDIAL_SENTINEL_PASSWORD',
  ],
  [/NOAUTH/, 'the Sentinels require a password: set OUTDIAL_SENTINEL_PASSWORD'],
  [/unknown command/i, 'these hosts are no Sentinels: name the Sentinels, or begin the URL with redis://'],
  [/No such master with that name/, 'the Sentinels know no primary with this name'],
];

/** Checks the Redis of a URL. Takes at most some seconds. @throws RedisUrlError */
export async function checkRedis(access: RedisAccess): Promise<StoreCheckResult> {
  const { kind } = parseRedisUrl(typeof access === 'string' ? access : access.url);
  const redis = connectForCommands(access);
  const nodeErrors: string[] = [];
  redis.on('node error', ({ message }: Error) => nodeErrors.push(message));
  try {
    // Rejects with the first error, if it comes earlier.
    await once(redis, 'ready');
    const reason = kind === 'server' ? await otherMode(redis) : undefined;
    return reason === undefined ? { kind: 'usable' } : { kind: 'unusable', reason };
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    const reason = refusalIn(kind, text, nodeErrors);
    return reason === undefined ? { kind: 'away', cause: error } : { kind: 'unusable', reason };
  } finally {
    // Later errors are of no interest.
    redis.on('error', () => {});
    redis.disconnect();
  }
}

function refusalIn(kind: RedisAddress['kind'], text: string, nodeErrors: readonly string[]): string | undefined {
  if (kind === 'sentinel' && text.startsWith('All sentinels are unreachable')) return find(SENTINEL_REFUSALS, text);
  return [text, ...nodeErrors].map((one) => find(REFUSALS, one)).find((reason) => reason !== undefined);
}

function find(refusals: Refusals, text: string): string | undefined {
  return refusals.find(([pattern]) => pattern.test(text))?.[1];
}

/** A plain client would reach one node of a cluster only, and would take a Sentinel for a Redis. */
async function otherMode(redis: RedisClient): Promise<string | undefined> {
  // An access list may forbid INFO outside of scripts.
  const info = await redis
    .info('server')
    .catch((error: Error) => (error.name === 'ReplyError' ? '' : Promise.reject(error)));
  const mode = /^redis_mode:(\w+)/m.exec(info)?.[1];
  if (mode === 'cluster') return IS_CLUSTER;
  return mode === 'sentinel'
    ? 'this is a Sentinel: begin the URL with redis+sentinel://, and end it with the name of the primary'
    : undefined;
}
