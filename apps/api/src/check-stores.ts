import { EnvError, pause, redisAccessOf, type Clock, type StoreCheckResult } from '@outdial/kernel';
import { checkDatabase } from '@outdial/persistence';
import { checkRedis } from '@outdial/queue';
import type { ApiConfig } from './config.ts';

const PAUSE_MS = 1_000;

/**
 * Detects settings of the stores that can never work: treated as an outage, the process would wait for them in vain. A
 * store that is away yields no verdict.
 * @returns whether both stores are known to be usable.
 * @throws EnvError
 */
export async function checkStores(config: ApiConfig): Promise<boolean> {
  const [database, redis] = await Promise.all([checkDatabase(config.DATABASE_URL), checkRedis(redisAccessOf(config))]);
  return [isUsable('DATABASE_URL', database), isUsable('REDIS_URL', redis)].every(Boolean);
}

/** Repeats the check until both stores have answered. @throws EnvError */
export async function checkStoresUntilKnown(config: ApiConfig, clock: Clock): Promise<void> {
  while (!(await checkStores(config))) await pause(clock, PAUSE_MS);
}

function isUsable(name: string, verdict: StoreCheckResult): boolean {
  if (verdict.kind === 'unusable') throw new EnvError(`${name} cannot be used: ${verdict.reason}.`);
  return verdict.kind === 'usable';
}
