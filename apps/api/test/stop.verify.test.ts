import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseKeyPepper } from '@outdial/secrets';
import { invariant } from '@outdial/kernel';
import { createDatabase } from '@outdial/persistence';
import { privatePostgres, privateRedis, type PrivateServer } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startProcess } from './api-process.ts';
import { createClient } from './client.ts';
import { TEST_PEPPER } from './open-api.ts';
import { openConnection, parseAnswer, type RawConnection } from './raw-connection.ts';
import { createSeeds, type TestAccount } from './seeds.ts';

let redis: PrivateServer;
let postgres: PrivateServer;
let dataDir: string;
let account: TestAccount;
let api: ReturnType<typeof startProcess>;
let url: string;

beforeAll(async () => {
  [redis, postgres] = await Promise.all([privateRedis(), privatePostgres()]);
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-api-'));
  account = await seedAccount();
});
afterAll(() => Promise.all([redis.close(), postgres.close(), rm(dataDir, { recursive: true })]));
beforeEach(() => start({}));
afterEach(async () => {
  api.child.kill('SIGKILL');
  await api.ended;
});

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  api = startProcess({
    ...settings,
    PORT: '0',
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    OUTDIAL_DATA_DIR: dataDir,
    OUTDIAL_KEY_PEPPER: TEST_PEPPER,
    OUTDIAL_DEFAULT_POLICY: 'open',
  });
  url = await api.listening();
  await createClient(url).untilReady();
  await createCalls(60);
}

async function seedAccount(): Promise<TestAccount> {
  const database = createDatabase({ url: postgres.url, queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 });
  const pepper = parseKeyPepper(TEST_PEPPER);
  invariant(pepper, 'the test’s pepper is long enough');
  const seeded = await createSeeds(database, pepper).account({ capacity: 1_000, balance: '1000' });
  await database.close();
  return seeded;
}

/** Enough concurrent requests to open every connection of every pool; their answers are not checked here. */
async function createCalls(count: number): Promise<void> {
  const client = createClient(url);
  const request = { key: account.key, json: account.newCall, once: true };
  await Promise.all(Array.from({ length: count }, () => client.request('POST', '/outbound/calls', request)));
}

/** A request whose body is still to come, so that the test decides when it is answered. */
async function beginRequest(): Promise<RawConnection> {
  const connection = await openConnection(url);
  const body = JSON.stringify(account.newCall);
  connection.send(
    `POST /api/v1/outbound/calls HTTP/1.1\r\nHost: x\r\nX-API-Key: ${account.key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nExpect: 100-continue\r\n\r\n`,
  );
  // The server has read the headers when it asks for the body.
  await expect.poll(() => connection.received()).toContain('100 Continue');
  return { ...connection, send: () => connection.send(body) };
}

/** Exits cleanly: no request had to be aborted, and the shutdown logged no alarm. */
async function expectGoodEnd(): Promise<void> {
  const linesBefore = api.lines.length;
  api.child.kill('SIGTERM');
  expect(await api.ended).toEqual({ code: 0, stderr: '' });
  const log = api.lines.slice(linesBefore).join('\n');
  expect(log).toContain('"msg":"stopped"');
  expect(log).not.toContain('"level":"error"');
}

it('with kept-alive connections, and some that were never used', async () => {
  const agent = new Agent({ keepAlive: true });
  await new Promise((resolve, reject) => {
    request(`${url}/healthz`, { agent }, (response) => response.resume().once('end', resolve))
      .once('error', reject)
      .end();
  });
  const unused = await Promise.all([openConnection(url), openConnection(url)]);
  await expectGoodEnd();
  for (const connection of unused) expect(await connection.closed()).toBe('');
  agent.destroy();
});

it('after answering the requests in flight, without accepting new ones', async () => {
  const waiting = await beginRequest();
  const gone = await beginRequest();
  api.child.kill('SIGTERM');
  await expect.poll(refusesConnections).toBe(true);
  gone.send('');
  gone.hangUp();
  waiting.send('');
  const text = await waiting.closed();
  const answer = parseAnswer(text.slice(text.lastIndexOf('HTTP/1.1 ')));
  // A 503 also counts as an answer: a busy machine may give it.
  expect([201, 503]).toContain(answer.status);
  expect(answer.headers.get('connection')).toBe('close');
  expect(await api.ended).toEqual({ code: 0, stderr: '' });
  const log = api.lines.join('\n');
  expect(log).toContain('"msg":"stopped"');
  expect(log).not.toContain("isn't writeable");
});

const refusesConnections = () =>
  openConnection(url).then(
    (probe) => {
      probe.hangUp();
      return false;
    },
    () => true,
  );

const LOSSES = [
  ['gone', (server: PrivateServer) => server.kill(), (server: PrivateServer) => server.start()],
  ['hung', (server: PrivateServer) => server.pause(), (server: PrivateServer) => server.resume()],
] as const;

it.each(LOSSES)('with Redis %s', async (_how, lose, restore) => {
  await lose(redis);
  await expectGoodEnd();
  await restore(redis);
});

it.each(LOSSES)('with Postgres %s', async (_how, lose, restore) => {
  await lose(postgres);
  await expectGoodEnd();
  await restore(postgres);
});

it('with both hung and a request waiting for them', async () => {
  const waiting = await beginRequest();
  await Promise.all([redis.pause(), postgres.pause()]);
  waiting.send('');
  api.child.kill('SIGTERM');
  const text = await waiting.closed();
  expect(parseAnswer(text.slice(text.indexOf('HTTP/1.1 503'))).status).toBe(503);
  expect(await api.ended).toEqual({ code: 0, stderr: '' });
  await Promise.all([redis.resume(), postgres.resume()]);
});

it('after the shutdown delay, in which it answers, and is no longer ready for load balancers', async () => {
  api.child.kill('SIGKILL');
  await api.ended;
  await start({ OUTDIAL_SHUTDOWN_DELAY_SECONDS: '3' });
  api.child.kill('SIGTERM');
  const readiness = async () => {
    const answer = await fetch(`${url}/readyz?stores=ignore`);
    return [answer.status, answer.headers.get('connection'), await answer.json()];
  };
  await expect.poll(readiness).toEqual([503, 'close', { status: 'draining' }]);
  const created = await createClient(url).request('POST', '/outbound/calls', {
    key: account.key,
    json: account.newCall,
  });
  expect(created.status).toBe(201);
  expect(await api.ended).toEqual({ code: 0, stderr: '' });
});
