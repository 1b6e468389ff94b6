import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { privatePostgres } from './private-postgres.ts';
import type { PrivateServer } from './private-server.ts';

let server: PrivateServer;
beforeAll(async () => {
  server = await privatePostgres();
});
afterAll(() => server.close());

test('a killed Postgres comes back at the same URL with all commits', async () => {
  await ask('CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  await server.kill();
  await expect(ask('SELECT 1')).rejects.toThrow('ECONNREFUSED');
  await server.start();
  expect(await ask('SELECT id FROM kept')).toEqual([{ id: 1 }]);
});

test('a paused Postgres answers on no connection, and continues after resume', async () => {
  const client = new Client({ connectionString: server.url, query_timeout: 200 });
  client.on('error', () => {});
  await client.connect();
  await server.pause();
  await expect(client.query('SELECT 1')).rejects.toThrow('Query read timeout');
  await client.end().catch(() => {});
  await server.resume();
  expect(await ask('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

async function ask(sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: server.url });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end().catch(() => {});
  }
}
