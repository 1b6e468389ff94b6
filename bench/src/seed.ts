import { randomUUID } from 'node:crypto';
import { createHash } from 'node:crypto';
import { createApiKey, digestApiKey } from '@outdial/secrets';
import { agentSettingsSchema } from '@outdial/contracts';
import { query, withRedis, type Stage, type StageStores } from './stage.ts';

/** An account without effective limits: funds, capacity and request rate are far beyond the load. */
export interface BenchAccount {
  readonly accountId: string;
  readonly agentId: string;
  readonly apiKey: string;
}

export const PEPPER_HEX = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff';
export const CALLER_NUMBER = '+12025550199';
export const CAPACITY = 10_000_000;
const BALANCE_MICROS = 9_000_000_000_000_000n;

export async function seedAccount(stage: Stage): Promise<BenchAccount> {
  const account = { accountId: randomUUID(), agentId: randomUUID(), apiKey: createApiKey() };
  await seedDatabase(stage.subject, account);
  await seedDatabase(stage.control, account);
  await withRedis(stage.control.redisUrl, async (redis) => {
    const digest = createHash('sha256').update(account.apiKey).digest('hex');
    await redis.set(`control:key:${digest}`, account.accountId);
    await redis.set(`control:balance:${account.accountId}`, String(BALANCE_MICROS));
  });
  return account;
}

async function seedDatabase(stores: StageStores, account: BenchAccount): Promise<void> {
  const digest = digestApiKey(account.apiKey, Buffer.from(PEPPER_HEX, 'hex'));
  const settings = agentSettingsSchema.parse({ name: 'Bench', first_message: 'Hello.' });
  const run = (sql: string, ...values: readonly unknown[]) => query(stores.databaseUrl, sql, values);
  await run(
    `INSERT INTO accounts (id, name, currency, capacity) VALUES ($1, 'Bench', 'USD', $2)`,
    account.accountId,
    CAPACITY,
  );
  await run(`INSERT INTO wallets (account_id, balance_micros) VALUES ($1, $2)`, account.accountId, BALANCE_MICROS);
  await run(
    `INSERT INTO api_keys (id, account_id, name, shown_prefix, digest, requests_per_second)
     VALUES ($1, $2, 'bench', $3, $4, 1000000)`,
    randomUUID(),
    account.accountId,
    account.apiKey.slice(0, 14),
    digest,
  );
  await run(`INSERT INTO agents (id, account_id) VALUES ($1, $2)`, account.agentId, account.accountId);
  await run(`INSERT INTO agent_versions (agent_id, version, settings) VALUES ($1, 1, $2)`, account.agentId, settings);
  await run(
    `INSERT INTO phone_numbers (id, account_id, e164, is_default) VALUES ($1, $2, $3, true)`,
    randomUUID(),
    account.accountId,
    CALLER_NUMBER,
  );
  await run(`INSERT INTO rate_decks (currency) VALUES ('USD') ON CONFLICT DO NOTHING`);
  await run(`INSERT INTO rates VALUES ('USD', '1', 'North America', 0, 12000, 60, 60) ON CONFLICT DO NOTHING`);
  await run(`UPDATE system_settings SET capacity = $1, capacity_version = capacity_version + 1`, CAPACITY);
}
