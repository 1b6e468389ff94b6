import { once } from 'node:events';
import { connectForWaiting, subscribeToOperationSignals } from '@outdial/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminDriver, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

test('dialing is paused and resumed, the actor is shown, and workers learn of it at once', async () => {
  const redis = connectForWaiting(driver.redisUrl);
  const heard = new EventTarget();
  await subscribeToOperationSignals({ redis, onChanged: () => heard.dispatchEvent(new Event('look')) });
  expect(await driver.json(['dialling', 'show'])).toEqual({
    dialling: { paused: false, changed_at: null, changed_by: null },
  });
  const looking = once(heard, 'look');
  expect(await driver.json(['dialling', 'pause', '--actor', 'alice'])).toMatchObject({
    dialling: { paused: true, changed_by: 'alice' },
  });
  await looking;
  const { stdout } = await driver.run(['dialling', 'show']);
  expect(stdout).toMatch(/^Dialing is paused: no new calls are dialed\.\nSince .*Z, by alice\.\n$/);
  expect(await driver.json(['dialling', 'resume', '--actor', 'bob'])).toMatchObject({
    dialling: { paused: false, changed_by: 'bob' },
  });
  redis.disconnect();
});

test('the switch is set even without Redis', async () => {
  const { exitCode } = await driver.run(['dialling', 'pause'], { env: { REDIS_URL: '' } });
  expect(exitCode).toBe(0);
  expect(await driver.json(['dialling', 'show'])).toMatchObject({ dialling: { paused: true } });
});
