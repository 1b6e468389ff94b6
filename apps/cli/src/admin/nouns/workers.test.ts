import { createWorkerRegistry } from '@outdial/persistence';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminDriver, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

const WORKER = 'host:7:one';
const tell = () =>
  createWorkerRegistry(driver.database).report({
    id: WORKER,
    host: 'host',
    version: '1.2.3',
    startedAtMs: Date.now(),
    liveCalls: 2,
    concurrency: 50,
    isStopping: false,
  });

test('workers are listed, drained and resumed, and the change is audited', async () => {
  expect((await driver.run(['workers', 'list'])).stdout).toBe('No worker has reported yet.\n');
  await tell();
  expect(await driver.json(['workers', 'list'])).toMatchObject({
    workers: [{ id: WORKER, host: 'host', version: '1.2.3', state: 'taking', live_calls: 2, concurrency: 50 }],
  });
  expect(await driver.json(['workers', 'drain', WORKER, '--actor', 'alice'])).toMatchObject({
    workers: [{ id: WORKER, state: 'draining' }],
  });
  expect(await tell()).toEqual({ shouldDrain: true });
  expect(await driver.actorOf(WORKER)).toBe('alice');
  expect((await driver.run(['workers', 'resume', WORKER])).stdout).toContain('taking');
});

test('an unknown worker is rejected', async () => {
  const { exitCode, stderr } = await driver.run(['workers', 'drain', 'nobody']);
  expect(exitCode).toBe(1);
  expect(stderr).toContain('There is no worker nobody.');
});
