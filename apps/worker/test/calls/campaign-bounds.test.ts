import { randomUUID } from 'node:crypto';
import { createEndCall, type CampaignSettings } from '@outdial/calls';
import { campaignIdSchema, e164Schema, type AccountId, type CallId, type CampaignId } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { createWorkerMetrics } from '@outdial/metrics';
import { createCallReader, createDatabase, createEndStore, openOwnAccount, type Database } from '@outdial/persistence';
import { campaignSettings, seedAccount } from '@outdial/persistence/seeding';
import { createEndSignals } from '@outdial/queue';
import { createGate } from '@outdial/reservations';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { composeCampaigns } from '../../src/compose/campaigns.ts';
import { connectRedis, type RedisConnections } from '../../src/stores/redis-connections.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const clock = systemClock;
const CAPACITY = 20;
const PERCENT = 50;
const MOST_OF_FIRST = 4;
const PACE = 7;

let stores: TestStores;
let database: Database;
let redis: RedisConnections;
beforeAll(async () => {
  stores = await testStores();
  database = openDatabase();
  redis = connectRedis(stores.redisUrl, logger);
});
afterAll(async () => {
  redis.close();
  await database.close();
  await stores.close();
});

function openDatabase(): Database {
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  return createDatabase({ url: stores.databaseUrl, poolSize: 4, readPoolSize: 4, ...patience });
}

/** A worker with the role `campaigns` alone: what it admits is not dialed. */
function startWorker(workerId: string) {
  const [own, connections] = [openDatabase(), connectRedis(stores.redisUrl, logger)];
  const campaigns = composeCampaigns({
    database: own,
    redis: connections,
    gate: createGate({ redis: connections.commands }),
    metrics: createWorkerMetrics(clock, { freshMs: 1_000 }),
    workerId,
    clock,
    logger,
  });
  const loops = campaigns.startLoops();
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
      await campaigns.close();
      connections.close();
      await own.close();
    },
  };
}

async function startCampaign(
  { id: accountId, agentId, fromNumber }: Awaited<ReturnType<typeof seedAccount>>,
  changes: Partial<CampaignSettings>,
): Promise<CampaignId> {
  const bounds = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };
  const { campaigns } = openOwnAccount(database, { accountId, actor: 'user:kim', bounds });
  const id = campaignIdSchema.parse(randomUUID());
  await campaigns.create(id, campaignSettings(agentId, changes));
  const contacts = Array.from({ length: 300 }, (_, at) => {
    return { number: e164Schema.parse(`+${12_025_551_000 + at}`), variables: {}, metadata: {}, timeZone: null };
  });
  await campaigns.addContacts(id, contacts);
  const plan = { agentVersion: 1, callerNumber: fromNumber, maxDurationSeconds: 600, ringTimeoutSeconds: 30 };
  await campaigns.changeState(id, { kind: 'start', plan });
  return id;
}

interface CallTimes {
  readonly campaignId: CampaignId;
  readonly queuedAtMs: number;
  /** By Postgres's clock, like the other. Null: it is open. */
  readonly endedAtMs: number | null;
}

/** The most calls that were ever open at once. A call that ends frees its slot before another takes it. */
function mostOpen(calls: readonly CallTimes[]): number {
  const steps = calls.flatMap(({ queuedAtMs, endedAtMs }) => [
    { atMs: queuedAtMs, by: 1 },
    { atMs: endedAtMs ?? Infinity, by: -1 },
  ]);
  let [open, most] = [0, 0];
  for (const { by } of steps.toSorted((a, b) => a.atMs - b.atMs || a.by - b.by)) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}

async function openCalls(accountId: AccountId): Promise<readonly CallId[]> {
  const rows = await database.side.$queryRaw<{ id: CallId }[]>`
    SELECT id FROM calls WHERE account_id = ${accountId}::uuid AND status = 'queued' ORDER BY queued_at`;
  return rows.map(({ id }) => id);
}

test('two workers exceed neither the concurrency of a campaign, nor its pace, nor the part of campaigns, at any moment', async () => {
  const account = await seedAccount(database, { capacity: CAPACITY });
  await database.side.$executeRaw`
    UPDATE accounts SET campaign_percent = ${PERCENT}::int WHERE id = ${account.id}::uuid`;
  const workers = [startWorker('one'), startWorker('two')];
  const first = await startCampaign(account, { maxConcurrent: MOST_OF_FIRST });
  const paced = await startCampaign(account, { callsPerSecond: PACE });
  const endCall = createEndCall({
    store: createEndStore(database),
    reader: createCallReader(database),
    gate: createGate({ redis: redis.commands }),
    signals: createEndSignals({ redis: redis.commands }),
  });
  let ended = 0;
  await expect
    .poll(
      async () => {
        const open = await openCalls(account.id);
        // A few stay open, so that slots are short.
        for (const callId of open.slice(0, Math.max(0, open.length - 2))) {
          await endCall({ accountId: account.id, callId });
          ended += 1;
        }
        return ended;
      },
      { timeout: 90_000, interval: 50 },
    )
    .toBeGreaterThan(60);
  await Promise.all(workers.map((worker) => worker.stop()));

  const calls = await database.side.$queryRaw<CallTimes[]>`
    SELECT campaign_id AS "campaignId", EXTRACT(epoch FROM queued_at)::double precision * 1000 AS "queuedAtMs",
      EXTRACT(epoch FROM ended_at)::double precision * 1000 AS "endedAtMs"
    FROM calls WHERE account_id = ${account.id}::uuid AND queued_at IS NOT NULL ORDER BY queued_at`;
  const of = (id: CampaignId) => calls.filter(({ campaignId }) => campaignId === id);
  expect(mostOpen(of(first))).toBe(MOST_OF_FIRST);
  expect(mostOpen(calls)).toBeLessThanOrEqual((CAPACITY * PERCENT) / 100);
  const [{ sinceMs } = { sinceMs: 0 }] = await database.side.$queryRaw<{ sinceMs: number }[]>`
    SELECT epoch_ms(started_at) AS "sinceMs" FROM campaigns WHERE id = ${paced}::uuid`;
  // A token for each part of a second since it started, after one second's burst. A call is queued after its token was taken.
  for (const [at, { queuedAtMs }] of of(paced).entries())
    expect(at + 1).toBeLessThanOrEqual(PACE + (PACE * (queuedAtMs - sinceMs)) / 1_000);
  expect(of(paced).length).toBeGreaterThan(PACE);
});
