import type { Gate } from '@outdial/calls';
import { testStores, type TestStores } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createGate } from '../src/index.ts';

/** Filled before the file's first test. */
export interface GateUnderTest {
  readonly gate: Gate;
  readonly redis: Redis;
  readonly redisUrl: string;
  /** Another client of the same database. Closed with the file. */
  connect(): Redis;
}

/** A gate on a separate Redis database, emptied before each test. */
export function gateUnderTest(): GateUnderTest {
  const clients: Redis[] = [];
  let parts: { readonly stores: TestStores; readonly redis: Redis; readonly gate: Gate } | undefined;
  const started = () => {
    if (!parts) throw new Error('gateUnderTest() is for use inside tests');
    return parts;
  };
  const connectTo = (url: string): Redis => {
    const client = new Redis(url);
    clients.push(client);
    return client;
  };

  beforeAll(async () => {
    const stores = await testStores();
    const redis = connectTo(stores.redisUrl);
    parts = { stores, redis, gate: createGate({ redis }) };
  });
  beforeEach(async () => {
    await started().redis.flushdb();
  });
  afterAll(async () => {
    for (const client of clients) client.disconnect();
    await parts?.stores.close();
  });

  return {
    get gate() {
      return started().gate;
    },
    get redis() {
      return started().redis;
    },
    get redisUrl() {
      return started().stores.redisUrl;
    },
    connect: () => connectTo(started().stores.redisUrl),
  };
}
