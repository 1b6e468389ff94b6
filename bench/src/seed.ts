import { createHash } from 'node:crypto';
import { e164Schema } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { accountSeed } from '@outdial/persistence/seeding';
import { query, withRedis, type Stage } from './stage.ts';

/** An account without effective limits: funds, capacity and request rate are far beyond the load. */
export interface BenchAccount {
  readonly accountId: string;
  readonly agentId: string;
  readonly apiKey: string;
}

export const PEPPER_HEX = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
export const CALLER_NUMBER = '+12025550199';
export const CAPACITY = 10_000_000;
export const BALANCE_MICROS = 9_000_000_000_000_000n;
export const REQUESTS_PER_SECOND = 1_000_000;

export async function seedAccount(stage: Stage): Promise<BenchAccount> {
  const seed = accountSeed({
    name: 'Bench',
    balanceMicros: BALANCE_MICROS,
    capacity: CAPACITY,
    number: e164Schema.parse(CALLER_NUMBER),
    key: { pepper: Buffer.from(PEPPER_HEX, 'hex'), requestsPerSecond: REQUESTS_PER_SECOND },
  });
  for (const { databaseUrl } of [stage.subject, stage.control]) {
    await seed.plantIn((text, values) => query(databaseUrl, text, values));
    await query(databaseUrl, 'UPDATE system_settings SET capacity = $1, capacity_version = capacity_version + 1', [
      CAPACITY,
    ]);
  }
  const { account, key } = seed;
  invariant(key !== null, 'the account has a key');
  await withRedis(stage.control.redisUrl, async (redis) => {
    const digest = createHash('sha256').update(key).digest('hex');
    await redis.set(`control:key:${digest}`, account.id);
    await redis.set(`control:balance:${account.id}`, String(BALANCE_MICROS));
  });
  return { accountId: account.id, agentId: account.agentId, apiKey: key };
}
