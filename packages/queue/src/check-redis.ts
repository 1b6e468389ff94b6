import { once } from 'node:events';
import type { StoreCheckResult } from '@outdial/kernel';
import { connectForCommands } from './connect.ts';

const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^(?:WRONGPASS|ERR AUTH|ERR invalid password)/, 'Redis rejects this user or password'],
  [/^NOAUTH/, 'Redis requires a password, and none is given'],
  // ioredis would continue in database 0, which may belong to another program.
  [/DB index is out of range/, 'Redis has no database with this number'],
];

/** Checks the Redis of a URL. Takes at most two seconds. */
export async function checkRedis(url: string): Promise<StoreCheckResult> {
  const redis = connectForCommands(url);
  try {
    // Rejects with the first error, if it comes earlier.
    await once(redis, 'ready');
    return { kind: 'usable' };
  } catch (error) {
    const text = error instanceof Error ? error.message : '';
    const reason = REFUSALS.find(([pattern]) => pattern.test(text))?.[1];
    return reason === undefined ? { kind: 'away' } : { kind: 'unusable', reason };
  } finally {
    // Later errors are of no interest.
    redis.on('error', () => {});
    redis.disconnect();
  }
}
