import { privatePostgres, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Client } from 'pg';
import { checkDatabase } from './check-database.ts';
import { newestMigration } from './newest-migration.ts';

let server: PrivateServer;
beforeAll(async () => {
  server = await privatePostgres();
});
afterAll(() => server.close());

function changed(change: (url: URL) => void): string {
  const url = new URL(server.url);
  change(url);
  return url.href;
}

test('a database that has the tables is usable', async () => {
  // On a busy machine every store can look unavailable for a while.
  await expect.poll(() => checkDatabase(server.url)).toEqual({ kind: 'usable' });
});

test.each<[string, (url: URL) => void, string]>([
  ['another password', (url) => (url.password = 'wrong'), 'rejects this user or password'],
  ['a missing database', (url) => (url.pathname = '/nowhere'), 'no database of this name'],
  ['a database without tables', (url) => (url.pathname = '/template1'), 'apply the migrations first'],
  ['TLS where the server has none', (url) => (url.search = '?ssl=true'), 'does not speak TLS'],
])('%s makes it unusable', async (_what, change, reason) => {
  const unusable = { kind: 'unusable', reason: expect.stringContaining(reason) };
  await expect.poll(() => checkDatabase(changed(change))).toEqual(unusable);
});

test('code that is newer than the schema is refused, and so is code that the schema no longer works with', async () => {
  const newer = `${newestMigration()}_and_one_more`;
  const lacks = expect.stringContaining(`lacks the migration ${newer}`);
  await expect.poll(() => checkDatabase(server.url, newer)).toEqual({ kind: 'unusable', reason: lacks });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const [older] = (await client.query<{ name: string }>('SELECT min(migration_name) AS name FROM _prisma_migrations'))
    .rows;
  // The previous version on the newer schema: that is how an update goes.
  expect(await checkDatabase(server.url, older?.name)).toEqual({ kind: 'usable' });
  await client.query('INSERT INTO schema_versions VALUES ($1, $1)', [newestMigration()]);
  const needs = expect.stringContaining(`run one that has the migration ${newestMigration()}`);
  expect(await checkDatabase(server.url, older?.name)).toEqual({ kind: 'unusable', reason: needs });
  expect(await checkDatabase(server.url)).toEqual({ kind: 'usable' });
  await client.query('DELETE FROM schema_versions');
  await client.end();
});

test('a Postgres that hangs or is gone counts as away, not as unusable', async () => {
  await server.pause();
  expect(await checkDatabase(server.url)).toEqual({ kind: 'away' });
  await server.resume();
  await server.kill();
  expect(await checkDatabase(server.url)).toEqual({ kind: 'away' });
});
