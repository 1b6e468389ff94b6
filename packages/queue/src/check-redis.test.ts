import { privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkRedis } from './check-redis.ts';

let server: PrivateServer;
beforeAll(async () => {
  server = await privateRedis();
});
afterAll(() => server.close());

function changed(change: (url: URL) => void): string {
  const url = new URL(server.url);
  change(url);
  return url.href;
}

test('a reachable Redis with valid credentials is usable', async () => {
  // On a busy machine every store may seem away for a while.
  await expect.poll(() => checkRedis(server.url)).toEqual({ kind: 'usable' });
});

test.each<[string, (url: URL) => void, string]>([
  ['another password', (url) => (url.password = 'wrong'), 'rejects this user or password'],
  ['no password', (url) => (url.password = ''), 'requires a password'],
  ['a database beyond the last', (url) => (url.pathname = '/99999'), 'no database with this number'],
])('%s makes it unusable', async (_what, change, reason) => {
  const unusable = { kind: 'unusable', reason: expect.stringContaining(reason) };
  await expect.poll(() => checkRedis(changed(change))).toEqual(unusable);
});

test('a Redis that hangs or is gone is reported as away', async () => {
  await server.pause();
  expect(await checkRedis(server.url)).toMatchObject({ kind: 'away' });
  await server.resume();
  await server.kill();
  expect(await checkRedis(server.url)).toMatchObject({ kind: 'away' });
});
