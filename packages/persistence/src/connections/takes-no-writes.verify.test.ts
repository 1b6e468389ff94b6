import { randomUUID } from 'node:crypto';
import { privatePostgres, type PrivateServer } from '@outdial/testkit';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDatabase, type Database } from '../database.ts';
import { isDatabaseAway, isNotCarriedOut } from '../database-away.ts';

const POOL = 3;
const READ_POOL = 2;
const SETTINGS = ['synchronous_standby_names', 'synchronous_commit', 'default_transaction_read_only'];

let server: PrivateServer;
let operator: Client;
let databaseName: string;
let database: Database;
beforeAll(async () => {
  server = await privatePostgres();
  operator = new Client({ connectionString: server.url });
  await operator.connect();
  databaseName = await currentDatabase();
});
afterAll(async () => {
  await operator.end();
  await server.close();
});
beforeEach(async () => {
  database = createDatabase({
    url: server.url,
    poolSize: POOL,
    readPoolSize: READ_POOL,
    queryTimeoutMs: 700,
    connectTimeoutMs: 5_000,
    probeIntervalMs: 1_000,
  });
  await database.ping();
});
afterEach(async () => {
  await configure([...SETTINGS.map(reset), `ALTER DATABASE ${databaseName} RESET default_transaction_read_only`]);
  await database.close();
});

const reset = (name: string) => `ALTER SYSTEM RESET ${name}`;

async function configure(statements: readonly string[]): Promise<void> {
  for (const statement of statements) await operator.query(statement);
  await operator.query('SELECT pg_reload_conf()');
}

/** Writes like the statements of a call. */
const write = (pool: 'hot' | 'side' = 'hot') =>
  database[pool].$executeRaw`
    INSERT INTO audit_entries (actor, action, subject_type, subject_id) VALUES ('test', 'test', 'test', ${randomUUID()})`;
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const isUp = () => failureOf(database.ping()).then((error) => error === null);

describe('a Postgres that is read-only', () => {
  test.each([
    ['for all sessions', 'ALTER SYSTEM SET default_transaction_read_only = on', reset('default_transaction_read_only')],
    [
      'for new sessions',
      'ALTER DATABASE $name SET default_transaction_read_only = on',
      'ALTER DATABASE $name RESET default_transaction_read_only',
    ],
  ])('%s is away, stores nothing, and is used again once it accepts writes', async (_, begin, end) => {
    await write();
    await configure([begin.replace('$name', databaseName)]);
    await endOtherSessions();
    await expect.poll(isUp).toBe(false);
    for (const pool of ['hot', 'side'] as const) {
      // A connection that ended while it was idle reports that first.
      await expect.poll(async () => isNotCarriedOut(await failureOf(write(pool)))).toBe(true);
      expect(isDatabaseAway(await failureOf(write(pool)))).toBe(true);
    }
    expect(isDatabaseAway(await failureOf(database.ping()))).toBe(true);
    await configure([end.replace('$name', databaseName)]);
    await expect.poll(isUp).toBe(true);
    // No connection from the read-only time is left: none of many statements meets a read-only session.
    await Promise.all(Array.from({ length: 20 }, (_each, index) => write(index % 2 === 0 ? 'hot' : 'side')));
  });
});

const loseStandby = () =>
  configure([
    'ALTER SYSTEM SET synchronous_commit = on',
    "ALTER SYSTEM SET synchronous_standby_names = 'a_standby_that_is_lost'",
  ]);

// Processes of the server apply settings one after the other: a write or two may still be confirmed.
async function firstFailure(): Promise<unknown> {
  for (;;) {
    const error = await failureOf(write());
    if (error !== null) return error;
  }
}

describe('a lost synchronous standby', () => {
  test('backends stay bounded, statements are rejected at once, and everything resumes when it is back', async () => {
    await write();
    await loseStandby();
    const refusals: unknown[] = [];
    while (!refusals.some(isNotCarriedOut)) refusals.push(await firstFailure());
    expect(refusals.length).toBeLessThanOrEqual(POOL + 1);
    expect(refusals.every(isDatabaseAway)).toBe(true);
    expect(await isUp()).toBe(false);
    const crowd = await Promise.all(Array.from({ length: 200 }, () => failureOf(write('side'))));
    expect(crowd.every(isNotCarriedOut)).toBe(true);
    // Each probe ends before the next one starts, so that probes leave no backends behind either.
    const probes = new Set<number>();
    await expect.poll(async () => (await waitingProbes()).forEach((pid) => probes.add(pid)) ?? probes.size).toBe(3);
    expect(await waitingBackends()).toBeLessThanOrEqual(2 * (POOL + READ_POOL));
    await configure([reset('synchronous_standby_names')]);
    await expect.poll(isUp).toBe(true);
    await write();
    await expect.poll(waitingBackends).toBe(0);
  });

  test('fails a ping as soon as one statement was abandoned, and the logged outage ends only with a commit', async () => {
    await write();
    await loseStandby();
    expect(isDatabaseAway(await firstFailure())).toBe(true);
    for (let ping = 0; ping < 3; ping += 1) expect(isDatabaseAway(await failureOf(database.ping()))).toBe(true);
  });
});

test('a statement that times out on a lock does not make Postgres away: commits are confirmed', async () => {
  await operator.query('BEGIN');
  await operator.query('LOCK TABLE audit_entries IN ACCESS EXCLUSIVE MODE');
  for (let attempt = 0; attempt < 2 * POOL; attempt += 1) await failureOf(write());
  await operator.query('ROLLBACK');
  await expect.poll(isUp).toBe(true);
  await expect.poll(() => failureOf(write())).toBe(null);
});

async function currentDatabase(): Promise<string> {
  const { rows } = await operator.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
  return rows[0]?.name ?? '';
}

async function endOtherSessions(): Promise<void> {
  await operator.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
}

async function waitingBackends(): Promise<number> {
  return (await waitingWhere('true')).length;
}

const waitingProbes = () => waitingWhere(`query LIKE '%commit_probes%'`);

async function waitingWhere(condition: string): Promise<readonly number[]> {
  const { rows } = await operator.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND ${condition}`,
  );
  return rows.map(({ pid }) => pid);
}
