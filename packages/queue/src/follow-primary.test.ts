import { privateRedis, type PrivateServer } from '@outdial/testkit';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectForCommands, connectForWaiting, connectPatiently } from './connect.ts';
import { isRedisAway } from './redis-away.ts';
import type { RedisClient } from './redis-client.ts';
import { pingForWriting } from './redis-outages.ts';
import { openSwitchedAddress, type SwitchedAddress } from './testing/switched-address.ts';

let servers: readonly [PrivateServer, PrivateServer];
let address: SwitchedAddress;
let operator: Redis;
let connections: readonly RedisClient[];

beforeAll(async () => {
  servers = await Promise.all([privateRedis(), privateRedis()]);
  // The address keeps its password when it leads to another server.
  const other = new Redis(servers[1].url);
  await other.config('SET', 'requirepass', new URL(servers[0].url).password);
  other.disconnect();
});
afterAll(() => Promise.all(servers.map((server) => server.close())));
beforeEach(async () => {
  address = await openSwitchedAddress(servers[0].url);
  operator = new Redis(servers[0].url);
  const commands = connectForCommands(address.url);
  const others = [connectPatiently(address.url), connectForWaiting(address.url)];
  connections = [commands, connectForCommands(address.url, { commandTimeoutMs: 150 }), ...others];
  for (const redis of connections) redis.on('error', () => undefined);
  await allReady();
});
afterEach(async () => {
  for (const redis of connections) redis.disconnect();
  await operator.replicaof('NO', 'ONE');
  operator.disconnect();
  await address.close();
});

const allReady = () =>
  expect.poll(() => connections.map(({ status }) => status)).toEqual(['ready', 'ready', 'ready', 'ready']);
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
/** Makes it the replica of a primary that does not exist: it keeps its data, and rejects writes. */
const demote = () => operator.replicaof('127.0.0.1', 1);

test.each([
  ['a command', (redis: RedisClient) => redis.set('key', 'value')],
  ['a script', (redis: RedisClient) => redis.eval("return redis.call('SET', KEYS[1], 'value')", 1, 'key')],
])('one rejection of %s makes every connection of the process find the new primary', async (_, write) => {
  const [commands] = connections;
  await demote();
  address.switchTo(servers[1].url);
  const closed = connections.map((redis) => new Promise((resolve) => redis.once('close', resolve)));
  const refusal = commands && (await failureOf(write(commands)));
  expect(isRedisAway(refusal)).toBe(true);
  await Promise.all(closed);
  await allReady();
  for (const redis of connections) expect(await redis.set('key', 'value')).toBe('OK');
});

test('while its address leads to a replica, Redis is away; it is back once it takes writes', async () => {
  const [commands] = connections;
  await demote();
  const ping = () => (commands ? failureOf(pingForWriting(commands)) : null);
  for (let attempt = 0; attempt < 3; attempt += 1) expect(isRedisAway(await ping())).toBe(true);
  await operator.replicaof('NO', 'ONE');
  await expect.poll(ping).toBe(null);
});
