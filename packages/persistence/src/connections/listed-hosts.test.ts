import { applyMigrations } from '@outdial/migrations';
import { freePort, testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDatabase } from '../check-database.ts';
import { createDatabase } from '../database.ts';

let stores: TestStores;
let listed: string;
beforeAll(async () => {
  stores = await testStores();
  // The first host of the list is gone.
  listed = stores.databaseUrl.replace(/@([^/]+)\//, `@127.0.0.1:${await freePort()},$1/`);
});
afterAll(() => stores.close());

test('every way to a real Postgres leads past a host of the list that is gone', async () => {
  expect(listed).toMatch(/@127\.0\.0\.1:\d+,[^,]+:\d+\//);
  const database = createDatabase({ url: listed, connectTimeoutMs: 20_000, queryTimeoutMs: 20_000 });
  await expect.poll(() => database.ping()).toBeUndefined();
  expect(await database.walTimeline()).toMatch(/./);
  expect(await database.hot.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  expect(await database.side.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  expect(await database.bulk.query('SELECT $1::int AS one', [1])).toEqual([{ one: 1 }]);
  await database.close();
  await expect.poll(() => checkDatabase(listed)).toEqual({ kind: 'usable' });
  expect(await applyMigrations({ databaseUrl: listed })).toEqual({ applied: [] });
});
