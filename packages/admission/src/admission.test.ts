import { randomUUID } from 'node:crypto';
import type { AcceptCallRequest } from '@outdial/calls';
import { agentSettingsSchema, createCallSchema, e164Schema, micros, type CallId } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import { createAdministration, createCallReader, createDatabase, createDirectory } from '@outdial/persistence';
import { connectPatiently, createCallQueue } from '@outdial/queue';
import { createGate } from '@outdial/reservations';
import { testStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdmission, type AdmissionOptions } from './admission.ts';

const logger = createLogger({ name: 'test', level: 'silent' });

/** Real stores with one account in them, and a request of it. */
async function openStores() {
  const stores = await testStores();
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 4, readPoolSize: 4, ...patience });
  const redis = connectPatiently(stores.redisUrl);
  const directory = createDirectory(database);
  const admin = createAdministration(database, { actor: 'test' });
  const rate = {
    prefix: '1202',
    description: 'Washington, DC',
    connectionFeeMicros: micros(0),
    pricePerMinuteMicros: micros(12_000),
    initialIncrementSeconds: 1,
    incrementSeconds: 1,
  };
  await admin.rates.import({ currency: 'USD', rates: [rate] });
  const { id: accountId } = await admin.accounts.create({ name: 'Acme', currency: 'USD', capacity: 10 });
  await admin.wallets.topUp({ accountId, amountMicros: micros(100_000_000), idempotencyKey: randomUUID() });
  await admin.numbers.add({ accountId, e164: e164Schema.parse('+12025550199'), isDefault: true });
  const settings = agentSettingsSchema.parse({ name: 'Reminder', first_message: 'Hello.' });
  const agent = await admin.agents.create({ accountId, settings });
  const account = await directory.findAccount(accountId);
  if (!account) throw new Error('the account was not created');

  return {
    database,
    redis,
    directory,
    gate: createGate({ redis }),
    queue: createCallQueue({ redis, logger }),
    reader: createCallReader(database),
    request(): AcceptCallRequest {
      const body = createCallSchema.parse({ to_number: '+12025550143', agent_id: agent.id });
      const deadlineMs = systemClock.monotonicMs() + 60_000;
      return { account, body, idempotencyKey: null, requestId: randomUUID(), deadlineMs };
    },
    async close() {
      redis.disconnect();
      await database.close();
      await stores.close();
    },
  };
}

const away = () => Promise.reject(new Error('Redis is unavailable'));

let stores: Awaited<ReturnType<typeof openStores>>;
beforeAll(async () => {
  stores = await openStores();
});
afterAll(() => stores.close());

function openAdmission(options: Partial<AdmissionOptions> = {}) {
  const { database, gate, queue, directory } = stores;
  const shared = { clock: systemClock, logger, database, gate, queue, directory };
  return createAdmission({ ...shared, queueTtlSeconds: 600, ...options });
}

it('a closed gate is rebuilt after the first request, and the next request is accepted', async () => {
  await stores.redis.flushdb();
  const admission = openAdmission();
  expect((await admission.acceptCall(stores.request())).kind).toBe('service_unavailable');
  await expect.poll(async () => (await stores.gate.state()).open).toBe(true);
  expect((await admission.acceptCall(stores.request())).kind).toBe('accepted');
  await admission.close();
});

it('is warm once the whole path works: it rebuilds a closed gate and leaves nothing behind', async () => {
  await stores.redis.flushdb();
  const admission = openAdmission();
  expect(admission.isWarm()).toBe(false);
  const before = await stores.database.side.$queryRaw`SELECT count(*)::int AS calls FROM calls`;
  admission.warmUp();
  await expect.poll(() => admission.isWarm()).toBe(true);
  const open = await stores.reader.overview(stores.request().account.id, null);
  expect((await stores.gate.state()).slotsInUse).toBe(open?.openCalls);
  expect(await stores.database.side.$queryRaw`SELECT count(*)::int AS calls FROM calls`).toEqual(before);
  await admission.close();
});

it('announces a call after its commit, and has it in the queue when closed', async () => {
  const committed: CallId[] = [];
  const admission = openAdmission({ onCommitted: (callIds) => committed.push(...callIds) });
  admission.warmUp();
  await expect.poll(() => admission.isWarm()).toBe(true);
  const outcomes = await Promise.all(Array.from({ length: 3 }, () => admission.acceptCall(stores.request())));
  const callIds = outcomes.flatMap((outcome) => (outcome.kind === 'accepted' ? [outcome.call.id] : []));
  expect(callIds).toHaveLength(3);
  expect(committed.toSorted()).toEqual(callIds.toSorted());
  await admission.close();
  expect(await stores.queue.missing(callIds)).toEqual([]);
});

it('accepts calls while the queue takes none: reconciling adds their jobs', async () => {
  const admission = openAdmission({ queue: { add: away, missing: away } });
  const outcome = await admission.acceptCall(stores.request());
  expect(outcome.kind).toBe('accepted');
  await admission.close();
});
