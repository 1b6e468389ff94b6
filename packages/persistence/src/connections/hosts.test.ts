import { pbkdf2 } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { postgresHosts } from '@outdial/postgres-hosts';
import { fakeClock, LOCALHOST_IDENTITY } from '@outdial/testkit';
import { Pool } from 'pg';
import { afterEach, describe, expect, test } from 'vitest';
import { MOST_ITERATIONS, openFakeServer, type FakeServer, type FakeServerOptions } from '../../test/fake-server.ts';
import { createDatabase } from '../database.ts';
import { isDatabaseAway, isNotCarriedOut } from '../database-away.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function server(options: FakeServerOptions): Promise<FakeServer> {
  const opened = await openFakeServer(options);
  closers.push(() => opened.close());
  return opened;
}

const deriveKey = promisify(pbkdf2);

const PRIMARY = { role: 'primary' } as const;
const STANDBY = { role: 'standby' } as const;
const SILENT = { role: 'silent' } as const;

function listOf(servers: readonly FakeServer[], parameters = ''): string {
  return `postgresql://user:hunter2@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/outdial${parameters}`;
}

function poolOf(url: string): Pool {
  const pool = new Pool({ ...postgresHosts(url).pool, max: 2, connectionTimeoutMillis: 20_000 });
  pool.on('error', () => undefined);
  closers.push(() => pool.end());
  return pool;
}

/** The name of the server that a new connection leads to; the connection is closed again. */
async function reached(pool: Pool): Promise<number> {
  const client = await pool.connect();
  const { port } = client;
  client.release(true);
  return port;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a list of Postgres hosts', () => {
  test('leads past a host that is gone and past a standby to the primary, and next time there at once', async () => {
    const [gone, standby, primary] = [await server(PRIMARY), await server(STANDBY), await server(PRIMARY)];
    await gone.close();
    const pool = poolOf(listOf([gone, standby, primary]));
    expect(await reached(pool)).toBe(primary.port);
    expect(await reached(pool)).toBe(primary.port);
    expect([standby.connections(), primary.connections()]).toEqual([1, 2]);
  });

  test('follows a promotion, while the old primary goes on as a standby', async () => {
    const [first, second] = [await server(PRIMARY), await server(STANDBY)];
    const pool = poolOf(listOf([first, second]));
    expect(await reached(pool)).toBe(first.port);
    first.become('standby');
    second.become('primary');
    expect(await reached(pool)).toBe(second.port);
  });

  test('shares what one connection has learned with all others of the same database', async () => {
    const [standby, primary] = [await server(STANDBY), await server(PRIMARY)];
    const hosts = postgresHosts(listOf([standby, primary]));
    for (let turn = 0; turn < 3; turn += 1) {
      const client = hosts.client();
      await client.connect();
      await client.end();
    }
    expect([standby.connections(), primary.connections()]).toEqual([1, 3]);
  });

  test.each([
    ['', 'standby', false],
    ['', 'read-only', false],
    ['?target_session_attrs=read-write', 'read-only', false],
    ['?target_session_attrs=primary', 'read-only', true],
    ['?target_session_attrs=primary', 'standby', false],
    ['?target_session_attrs=any', 'standby', true],
  ] as const)('with "%s" a %s host is taken: %s', async (parameters, role, isTaken) => {
    const [first, primary] = [await server({ role }), await server(PRIMARY)];
    expect(await reached(poolOf(listOf([first, primary], parameters)))).toBe(isTaken ? first.port : primary.port);
  });

  test('asks for the role of a single host too, where the URL says so', async () => {
    const standby = await server(STANDBY);
    const error = await failureOf(reached(poolOf(listOf([standby], '?target_session_attrs=read-write'))));
    expect(error).toMatchObject({ code: '25006' });
  });

  test('without a primary it is an outage in which nothing was stored, and the error has no password', async () => {
    const [gone, standby] = [await server(PRIMARY), await server(STANDBY)];
    await gone.close();
    const database = createDatabase({ url: listOf([gone, standby]), connectTimeoutMs: 20_000 });
    closers.push(() => database.close());
    const rejection = await failureOf(database.hot.$executeRaw`SELECT 1`);
    expect([isDatabaseAway(rejection), isNotCarriedOut(rejection)]).toEqual([true, true]);
    const error = await failureOf(reached(poolOf(listOf([gone, standby]))));
    expect(isDatabaseAway(error)).toBe(true);
    expect(String(error)).toMatch(/127\.0\.0\.1:\d+ .*ECONNREFUSED.*; 127\.0\.0\.1:\d+ a standby/);
    expect(String(error)).not.toContain('hunter2');
  });

  test('with no host it is an outage too', async () => {
    const servers = [await server(PRIMARY), await server(PRIMARY)];
    for (const gone of servers) await gone.close();
    expect(isDatabaseAway(await failureOf(reached(poolOf(listOf(servers)))))).toBe(true);
  });

  test('is not tried further after a wrong password, which is wrong everywhere', async () => {
    const [first, second] = [await server({ role: 'stranger' }), await server(PRIMARY)];
    expect(await failureOf(reached(poolOf(listOf([first, second]))))).toMatchObject({ code: '28P01' });
    expect(second.connections()).toBe(0);
  });

  test('takes no longer than the limit for all hosts together, and a silent host leaves time for the others', async () => {
    const clock = fakeClock();
    const silent = [await server(SILENT), await server(SILENT), await server(SILENT)];
    const client = postgresHosts(listOf(silent), clock).client({ connectionTimeoutMillis: 900 });
    const failing = failureOf(client.connect());
    for (const [index, limitMs] of [600, 200, 100].entries()) {
      await expect.poll(() => silent.map((one) => one.connections())).toEqual(silent.map((_, i) => Number(i <= index)));
      await clock.advance(limitMs);
    }
    const error = await failing;
    expect(error).toMatchObject({ code: 'ETIMEDOUT' });
    expect(isDatabaseAway(error)).toBe(true);
    await client.end();
  });

  // A proof of the password that is computed too late must not go to the next host.
  test.each(['challenger', 'mute'] as const)(
    'leads past a %s, whose time ends in the middle of the conversation',
    async (role) => {
      const clock = fakeClock();
      const [first, primary] = [await server({ role }), await server(PRIMARY)];
      const client = postgresHosts(listOf([first, primary]), clock).client();
      const connecting = client.connect();
      await first.leftWaiting;
      // The challenge arrives in the next turn of the event loop. Its answer takes much longer to compute.
      for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
      await clock.advance(9_000);
      await connecting;
      expect(client.port).toBe(primary.port);
      // Takes as long as the proof and begins after it: a late proof would be on its way by now, and the server rejects it.
      await deriveKey('hunter2', 'salt', MOST_ITERATIONS, 32, 'sha256');
      await client.query('SELECT pg_is_in_recovery()');
      await client.end();
    },
  );

  test('is no longer looked through once its client has ended', async () => {
    const clock = fakeClock();
    const [silent, primary] = [await server(SILENT), await server(PRIMARY)];
    const client = postgresHosts(listOf([silent, primary]), clock).client();
    const failing = failureOf(client.connect());
    await expect.poll(() => silent.connections()).toBe(1);
    await client.end();
    expect(await failing).toBeInstanceOf(Error);
    expect(primary.connections()).toBe(0);
  });

  test('survives losing a connection, and opens the next one', async () => {
    const [standby, primary] = [await server(STANDBY), await server(PRIMARY)];
    const pool = poolOf(listOf([standby, primary]));
    const client = await pool.connect();
    const lost = once(client, 'error');
    primary.cut();
    await lost;
    client.release(true);
    expect(await reached(pool)).toBe(primary.port);
  });
});

test('with TLS each host must prove its own name', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'outdial-tls-'));
  closers.push(() => rm(dir, { recursive: true }));
  const authority = join(dir, 'authority.pem');
  await writeFile(authority, LOCALHOST_IDENTITY.authority);
  const { certificate, key } = LOCALHOST_IDENTITY;
  const [first, second] = [
    await server({ ...PRIMARY, tls: { certificate, key } }),
    await server({ ...PRIMARY, tls: { certificate, key } }),
  ];
  const url = (hosts: readonly string[]) =>
    `postgresql://user@${hosts.join(',')}/outdial?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority)}`;
  // The certificate is for localhost alone.
  const strangerFirst = poolOf(url([`127.0.0.1:${first.port}`, `localhost:${second.port}`]));
  expect(await reached(strangerFirst)).toBe(second.port);
  expect(second.serverNames()).toEqual(['localhost']);
  const strangers = poolOf(url([`127.0.0.1:${first.port}`, `127.0.0.1:${second.port}`]));
  expect(await failureOf(reached(strangers))).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
});
