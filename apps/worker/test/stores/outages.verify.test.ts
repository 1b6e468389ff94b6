import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
});
afterEach(killChildWorkers);
afterAll(async () => {
  await Promise.all([redis.close(), postgres.close()]);
});

test('the loss and the return of a store are logged once each, however often loops and connections retry', async () => {
  const worker = startChildWorker({ DATABASE_URL: postgres.url, REDIS_URL: redis.url, OUTDIAL_SIMULATED_MEDIA: 'off' });
  await worker.said('taking calls');
  for (const [name, server] of [
    ['Redis', redis],
    ['Postgres', postgres],
  ] as const) {
    await server.kill();
    await worker.said(`${name} is away`);
    await server.start();
    await worker.said(`${name} is back`);
  }
  const alarms = worker.alarms().filter(({ msg }) => /^(?:Redis|Postgres) is /.test(String(msg)));
  expect(alarms.map(({ msg }) => msg)).toEqual([
    'Redis is away',
    'Redis is back',
    'Postgres is away',
    'Postgres is back',
  ]);
  expect(worker.alarms().filter(({ err }) => err !== undefined)).toEqual([]);
  worker.signal('SIGTERM');
  expect(await worker.exited()).toBe(0);
});
