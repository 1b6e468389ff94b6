import { randomUUID } from 'node:crypto';
import { privatePostgres, type PrivateServer } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isDatabaseAway } from './database-away.ts';
import { createDatabase, type Database } from './database.ts';

let server: PrivateServer;
let database: Database;

beforeAll(async () => {
  server = await privatePostgres();
  database = createDatabase({ url: server.url, queryTimeoutMs: 500, connectTimeoutMs: 1_000 });
});
afterAll(async () => {
  await database.close();
  await server.close();
});

/** The error of this statement. */
const failureOf = (statement: Promise<unknown>): Promise<unknown> =>
  statement.then(
    () => {
      throw new Error('the statement did not fail');
    },
    (error: unknown) => error,
  );
const select = () => database.side.$queryRaw`SELECT 1`;
const longStatement = () => database.side.$queryRaw`SELECT pg_sleep(10)`;

describe('an error', () => {
  it('of a statement does not mean that Postgres is away', async () => {
    await expect.poll(select).toHaveLength(1);
    for (const failing of [
      database.side.$queryRaw`SELECT 1/0`,
      database.side.$queryRaw`SELECT nothing`,
      database.side.$executeRaw`INSERT INTO gate VALUES (2, 1)`,
      // An error of the typed client that Postgres did not raise.
      database.side.wallet.delete({ where: { accountId: randomUUID() } }),
    ])
      expect(isDatabaseAway(await failureOf(failing))).toBe(false);
    expect(isDatabaseAway(new TypeError('x is not a function'))).toBe(false);
  });

  it('of a hung, killed, absent or stopping Postgres does', async () => {
    await expect.poll(select).toHaveLength(1);
    await server.pause();
    expect(isDatabaseAway(await failureOf(select()))).toBe(true);
    expect(isDatabaseAway(await failureOf(select()))).toBe(true);
    await server.resume();
    await expect.poll(select).toHaveLength(1);
    const killed = failureOf(longStatement());
    await server.kill();
    expect(isDatabaseAway(await killed)).toBe(true);
    expect(isDatabaseAway(await failureOf(select()))).toBe(true);
    await server.start();
    await expect.poll(select).toHaveLength(1);
    const stopped = failureOf(longStatement());
    await server.stop();
    expect(isDatabaseAway(await stopped)).toBe(true);
    await server.start();
  });
});
