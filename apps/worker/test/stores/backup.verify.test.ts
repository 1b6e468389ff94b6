import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountEnvelopeSchema, callEnvelopeSchema, callIdSchema } from '@outdial/contracts';
import { createAdministration, createDatabase } from '@outdial/persistence';
import { debianPostgres, privateRedis } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChildApi } from '../child-api.ts';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';
import { QUICK_LEASES } from '../quick-timings.ts';
import { openStage } from '../stage.ts';

/** The drill of the guide "Operating": a dump of the live store, restored on fresh stores after everything was lost. */

const PEPPER = '5d'.repeat(32);
const SILENT = '+12025550108';
/** Answers and hangs up after three seconds. */
const QUICK = '+12025550105';
const REAL_TIME = { OUTDIAL_SIMULATED_MEDIA: 'off', OUTDIAL_SIMULATED_SPEED: '1' };

let folder: string;
const closers: (() => Promise<unknown>)[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outdial-backup-'));
});
afterAll(async () => {
  killChildWorkers();
  for (const close of closers.toReversed()) await close();
  await rm(folder, { recursive: true });
});

async function freshStores() {
  const [redis, postgres] = await Promise.all([privateRedis(), debianPostgres()]);
  closers.push(
    () => redis.close(),
    () => postgres.close(),
  );
  return { redis, postgres };
}

interface Money {
  readonly balance: bigint;
  readonly ledger: bigint;
  readonly entries: number;
}

async function moneyIn(databaseUrl: string): Promise<Money | undefined> {
  const database = createDatabase({ url: databaseUrl });
  const [row] = await database.side.$queryRaw<Money[]>`
    SELECT (SELECT sum(balance_micros) FROM wallets)::bigint AS balance,
      (SELECT sum(amount_micros) FROM ledger_entries)::bigint AS ledger,
      (SELECT count(*) FROM ledger_entries)::int AS entries`;
  await database.close();
  return row;
}

test('a dump of the live store is restored on fresh stores: keys work, no cent is lost, no call is dialed again', async () => {
  const old = await freshStores();
  await old.postgres.migrate();
  const stores = { redisUrl: old.redis.url, databaseUrl: old.postgres.url };
  const stage = await openStage({ stores, capacity: 20 });
  const { keys } = createAdministration(stage.database, { actor: 'test' });
  const { key } = await keys.create({
    accountId: stage.accountId,
    name: 'test',
    pepper: Buffer.from(PEPPER, 'hex'),
  });
  // Calls of before the loss must have expired before dialing is resumed.
  const environment = { OUTDIAL_KEY_PEPPER: PEPPER, OUTDIAL_QUEUE_TTL_SECONDS: '5' };
  const body = (number: string) => ({ to_number: number, agent_id: stage.agentId, variables: { name: 'Ada' } });
  const api = await startChildApi(key, { ...stage.environment(), ...environment });
  await stage.startWorker({
    ...REAL_TIME,
    OUTDIAL_SIMULATED_SPEED: '20',
    OUTDIAL_WORKER_CONCURRENCY: '1',
  });
  const ended = await api.placeOnce(body(QUICK), 'order-1');
  const endedId = callIdSchema.parse(callEnvelopeSchema.parse(await ended.json()).call.id);
  await api.ended(endedId);
  await stage.stopWorkers();
  await stage.startWorker({ ...REAL_TIME, OUTDIAL_WORKER_CONCURRENCY: '1' }, QUICK_LEASES);
  const live = callIdSchema.parse(await api.place(body(SILENT)));
  await stage.until(live, 'in_progress');
  const waiting = callIdSchema.parse(await api.place(body(QUICK)));
  await old.postgres.dump(join(folder, 'outdial.dump'));
  const atDump = await moneyIn(old.postgres.url);

  // Everything is lost, and what came after the dump with it.
  await stage.stopWorkers();
  await api.close();
  await stage.close();

  const fresh = await freshStores();
  await fresh.postgres.restore(join(folder, 'outdial.dump'));
  expect(await fresh.postgres.migrate()).toEqual([]);
  expect(await moneyIn(fresh.postgres.url)).toEqual(atDump);
  const database = createDatabase({ url: fresh.postgres.url });
  closers.push(() => database.close());
  const administration = createAdministration(database, { actor: 'drill' });
  await administration.dialling.set({ paused: true });
  const restored = {
    ...stage.environment(),
    ...environment,
    REDIS_URL: fresh.redis.url,
    DATABASE_URL: fresh.postgres.url,
  };
  const child = startChildWorker({ ...restored, ...REAL_TIME }, QUICK_LEASES);
  // Ready once a worker or the API has rebuilt the gate from Postgres.
  const back = await startChildApi(key, restored);
  const repeated = await back.placeOnce(body(QUICK), 'order-1');
  expect(callEnvelopeSchema.parse(await repeated.json()).call.id).toBe(endedId);
  // The live call lost its worker, the waiting one its time.
  expect((await back.ended(live)).ended_reason).toBe('worker_lost');
  expect((await back.ended(waiting)).ended_reason).toBe('queue_expired');
  await administration.dialling.set({ paused: false });
  const next = await back.place(body(QUICK));
  expect((await back.ended(next)).ended_reason).not.toBe('queue_expired');
  const rows = await database.side.$queryRaw<{ id: string; dials: number }[]>`
    SELECT c.id, count(e.id) FILTER (WHERE e.type = 'dialing')::int AS dials
    FROM calls c LEFT JOIN call_events e ON e.call_id = c.id GROUP BY c.id`;
  expect(Object.fromEntries(rows.map(({ id, dials }) => [id, dials]))).toEqual({
    [endedId]: 1,
    [live]: 1,
    [waiting]: 0,
    [next]: 1,
  });
  const after = await moneyIn(fresh.postgres.url);
  expect(after?.balance).toBe(after?.ledger);
  expect(after?.entries).toBe((atDump?.entries ?? 0) + 3);
  const account = accountEnvelopeSchema.parse(await (await back.ask('/account')).json()).account;
  expect(account.capacity.in_use).toBe(0);
  child.signal('SIGTERM');
  await child.exited();
  await back.close();
});
