import { Redis } from 'ioredis';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { testStores, type TestStores } from './test-stores.ts';

let first: TestStores;
let second: TestStores;
beforeAll(async () => {
  first = await testStores();
  second = await testStores();
});
afterAll(async () => {
  await first.close();
  await second.close();
});

test('two files do not see each other in Redis', async () => {
  const [one, other] = [new Redis(first.redisUrl), new Redis(second.redisUrl)];
  await one.set('key', 'value');
  expect(await other.get('key')).toBeNull();
  expect(await one.dbsize()).toBe(1);
  one.disconnect();
  other.disconnect();
});

test('two files do not see each other in Postgres', async () => {
  await inDatabase(first, 'CREATE TABLE of_the_first (id int)');
  const { rows } = await inDatabase(second, `SELECT to_regclass('of_the_first') AS found`);
  expect(rows).toEqual([{ found: null }]);
});

test('a file starts with the newest schema', async () => {
  const { rows } = await inDatabase(
    first,
    'SELECT count(*)::int AS unfinished FROM _prisma_migrations WHERE finished_at IS NULL',
  );
  expect(rows).toEqual([{ unfinished: 0 }]);
});

test('a Redis database is empty for the next file that gets it', async () => {
  const stores = await testStores();
  const redis = new Redis(stores.redisUrl);
  await redis.set('left', 'behind');
  await stores.close();
  expect(await redis.dbsize()).toBe(0);
  redis.disconnect();
});

test('no file can empty the Redis databases of the others', async () => {
  const redis = new Redis(first.redisUrl);
  await expect(redis.flushall()).rejects.toThrow('NOPERM');
  redis.disconnect();
});

async function inDatabase(stores: TestStores, sql: string) {
  const client = new Client({ connectionString: stores.databaseUrl });
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
