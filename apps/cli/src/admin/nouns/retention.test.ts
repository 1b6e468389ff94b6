import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminDriver, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

test('retention is shown with its defaults, set, and set back', async () => {
  expect((await driver.run(['retention', 'show'])).stdout).toMatch(/^calls: forever \(default\)/);
  const set = await driver.json([
    'retention',
    'set',
    '--calls',
    '365',
    '--timelines',
    '90',
    '--idempotency-keys',
    '60',
  ]);
  expect(set).toMatchObject({ retention: { calls: 365, timelines: 90, webhooks: null, idempotency_keys: 60 } });
  expect((await driver.run(['retention', 'show'])).stdout).toContain('timelines: 90 days');
  expect(await driver.json(['retention', 'set', '--calls', 'default'])).toMatchObject({ retention: { calls: null } });
});

test.each([
  [['--calls', '0'], '--calls: must be a whole number from 1 to 36500'],
  [['--idempotency-keys', '7'], '--idempotency-keys: must be a whole number from 30 to 36500'],
  [['--calls', '30', '--timelines', '31'], 'timelines'],
])('%j is rejected by the name of its field', async (flags, message) => {
  const { exitCode, stderr } = await driver.run(['retention', 'set', ...flags]);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(message);
});
