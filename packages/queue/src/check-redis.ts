import { once } from 'node:events';
import type { StoreCheckResult } from '@outdial/kernel';
import { connectForCommands } from './connect.ts';

const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^(?:WRONGPASS|ERR AUTH|ERR invalid password)/, 'Redis refuses this user or password'],
  [/^NOAUTH/, 'Redis asks for a password, and none is given'],
  // ioredis would go on in database 0, whosever that is.
  [/DB index is out of range/, 'Redis has no database of this number'],
];

/** Whether the Redis that a URL names can be used. Takes two seconds at most. */
export async function checkRedis(url: string): Promise<StoreCheckResult> {
  const redis = connectForCommands(url);
  try {
    // Rejects with the first error, if one comes before.
    await once(redis, 'ready');
    return { kind: 'usable' };
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    const reason = REFUSALS.find(([pattern]) => pattern.test(text))?.[1];
    return reason === undefined ? { kind: 'away' } : { kind: 'unusable', reason };
  } finally {
    // Whatever else it says is said to nobody.
    redis.on('error', () => {});
    redis.disconnect();
  }
}
