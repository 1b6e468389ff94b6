import { createLogger, systemClock } from '@outdial/kernel';
import { createGate } from '@outdial/reservations';
import { testStores, type TestStores } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateRebuild } from './gate-rebuild.ts';

let stores: TestStores;
let redis: Redis;
beforeAll(async () => {
  stores = await testStores();
  redis = new Redis(stores.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await stores.close();
});

const away = () => Promise.reject(new Error('Postgres is unavailable'));

it('does not start while Postgres is away, so that a process that can finish one may start it at once', async () => {
  const gate = createGate({ redis });
  const rebuild = createGateRebuild({
    gate,
    reconcileStore: { nextGeneration: away, snapshot: away, queuedCalls: away },
    queue: { add: async () => {}, missing: async () => [] },
    logger: createLogger({ name: 'test', level: 'silent' }),
    clock: systemClock,
    database: { ping: away },
  });
  rebuild.request();
  await rebuild.stop();
  expect((await gate.beginRebuild()).kind).toBe('begun');
});
