import { freePort, testStores, type TestStores } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';

let stores: TestStores;
beforeAll(async () => {
  stores = await testStores();
});
afterEach(killChildWorkers);
afterAll(() => stores.close());

const environment = (env: Readonly<Record<string, string>> = {}) => ({
  DATABASE_URL: stores.databaseUrl,
  REDIS_URL: stores.redisUrl,
  OUTDIAL_SIMULATED_MEDIA: 'off',
  ...env,
});

test('invalid settings stop the start, each with its name and the reason', async () => {
  const child = startChildWorker(environment({ REDIS_URL: 'nonsense', OUTDIAL_WORKER_CONCURRENCY: 'many' }));
  const complaint = await child.complaint();
  expect(complaint).toContain('REDIS_URL cannot be used: it must be a URL that begins with redis://');
  expect(complaint).toContain(
    'OUTDIAL_WORKER_CONCURRENCY=many cannot be used: it must be a whole number from 1 to 20000.',
  );
  expect(complaint).not.toContain('    at ');
  expect(await child.exited()).toBe(1);
});

test('a worker that is stopped while it waits for Redis exits cleanly', async () => {
  const child = startChildWorker(environment({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` }));
  await child.said('Redis is away');
  child.signal('SIGTERM');
  expect(await child.exited()).toBe(0);
});

test('its health port reports readiness, and a port in use stops a second worker with a clear error', async () => {
  const port = await freePort();
  const child = startChildWorker(environment({ OUTDIAL_WORKER_HEALTH_PORT: String(port) }));
  await child.said('taking calls');
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  await expect.poll(() => ask('/readyz')).toBe(200);
  expect([await ask('/healthz'), await ask('/other')]).toEqual([200, 404]);
  const second = startChildWorker(environment({ OUTDIAL_WORKER_HEALTH_PORT: String(port) }));
  expect(await second.complaint()).toContain(`Port ${port} is in use by another program`);
  expect(await second.exited()).toBe(1);
  child.signal('SIGTERM');
  expect(await child.exited()).toBe(0);
});

test('an address that is not one of this machine stops the start, and names the setting', async () => {
  const port = String(await freePort());
  const child = startChildWorker(
    environment({ OUTDIAL_WORKER_HEALTH_PORT: port, OUTDIAL_WORKER_HEALTH_HOST: '192.0.2.1' }),
  );
  expect(await child.complaint()).toContain(
    '192.0.2.1 is not an address of this machine: set OUTDIAL_WORKER_HEALTH_HOST',
  );
  expect(await child.exited()).toBe(1);
});
