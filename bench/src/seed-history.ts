import { randomUUID } from 'node:crypto';
import { invariant } from '@outdial/kernel';
import { accountSeed } from '@outdial/persistence/seeding';
import { BALANCE_MICROS, PEPPER_HEX, REQUESTS_PER_SECOND, type BenchAccount } from './seed.ts';
import { query } from './stage.ts';

/** What the probes need to know about one account's stored calls. Times are ISO 8601. */
export interface History {
  readonly apiKey: string;
  readonly agentId: string;
  readonly idleAgentId: string;
  readonly someCallId: string;
  readonly someNumber: string;
  readonly middle: string;
  readonly nearOldest: string;
}

const SMALL_ACCOUNT_CALLS = 200;

/**
 * Stores ended calls: all but two hundred belong to the large account, the rest to a small one. Each number is called
 * a hundred times, however many calls there are, so that compared pages have the same length.
 */
export async function seedHistory(
  databaseUrl: string,
  account: BenchAccount,
  calls: number,
): Promise<{ large: History; small: History }> {
  await query(databaseUrl, 'TRUNCATE calls, call_events, reservations, ledger_entries CASCADE');
  const smallAccount = await seedSmallAccount(databaseUrl, account);
  const large = await storeCalls(databaseUrl, account, calls - SMALL_ACCOUNT_CALLS);
  const small = await storeCalls(databaseUrl, smallAccount, SMALL_ACCOUNT_CALLS);
  // These inserts bypass the trigger that records calls for the totals.
  await query(databaseUrl, 'SELECT recount_calls()');
  await query(databaseUrl, 'VACUUM (ANALYZE) calls');
  return { large, small };
}

/** Calls with the agent of the large account. */
async function seedSmallAccount(databaseUrl: string, like: BenchAccount): Promise<BenchAccount> {
  const { account, key, plantIn } = accountSeed({
    name: 'Small',
    balanceMicros: BALANCE_MICROS,
    capacity: 1_000_000,
    key: { pepper: Buffer.from(PEPPER_HEX, 'hex'), requestsPerSecond: REQUESTS_PER_SECOND },
  });
  invariant(key !== null, 'the account has a key');
  await plantIn((text, values) => query(databaseUrl, text, values));
  const grant = 'INSERT INTO agent_grants (agent_id, account_id) VALUES ($1, $2)';
  await query(databaseUrl, grant, [like.agentId, account.id]);
  return { accountId: account.id, agentId: like.agentId, apiKey: key };
}

async function storeCalls(databaseUrl: string, account: BenchAccount, count: number): Promise<History> {
  const idleAgentId = randomUUID();
  await query(databaseUrl, `INSERT INTO agents (id, account_id) VALUES ($1, $2)`, [idleAgentId, account.accountId]);
  await query(
    databaseUrl,
    `INSERT INTO calls (
       id, account_id, agent_id, agent_version, caller_number, callee_number, status, ended_reason, currency, rate_prefix,
       connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
       hold_micros, max_duration_seconds, ring_timeout_seconds, request_id, created_at, expires_at, started_at, ended_at,
       settled_at, epoch, worker_id)
     SELECT gen_random_uuid(), $1, $2, 1, '+12025550199', '+1202' || (5550000 + i % GREATEST($3::int / 100, 1)), 'ended',
       (ARRAY['callee_hangup', 'agent_hangup', 'busy', 'no_answer'])[1 + i % 4]::ended_reason, 'USD', '1', 0, 12000, 60, 60,
       gen_random_uuid(), 24000, 1800, 30, 'bench', t.at, t.at + interval '10 min', t.at + interval '1 s',
       t.at + interval '30 s', t.at + interval '30 s', 1, 'bench'
     FROM generate_series(1, $3::int) AS i, LATERAL (SELECT now() - interval '1 day' - i * interval '2 s' AS at) t`,
    [account.accountId, account.agentId, count],
  );
  const [row] = await query<{ id: string; number: string; middle: Date; oldest: Date }>(
    databaseUrl,
    `SELECT (array_agg(id))[1] AS id, (array_agg(callee_number))[1] AS number,
       min(created_at) + (max(created_at) - min(created_at)) / 2 AS middle, min(created_at) AS oldest
     FROM calls WHERE account_id = $1`,
    [account.accountId],
  );
  if (!row) throw new Error('no calls were stored');
  return {
    apiKey: account.apiKey,
    agentId: account.agentId,
    idleAgentId,
    someCallId: row.id,
    someNumber: row.number,
    middle: row.middle.toISOString(),
    nearOldest: new Date(row.oldest.getTime() + 100_000).toISOString(),
  };
}
