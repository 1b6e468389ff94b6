import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvError, invariant, systemClock } from '@outdial/kernel';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStoresUntilKnown } from '../src/check-stores.ts';
import { readConfig } from '../src/config.ts';
import { startProcess } from './api-process.ts';
import { createClient } from './client.ts';
import { TEST_PEPPER } from './open-api.ts';

let stores: TestStores;
let dataDir: string;

beforeAll(async () => {
  stores = await testStores();
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-api-'));
});
afterAll(async () => {
  await rm(dataDir, { recursive: true });
  await stores.close();
});

const settings = () => ({
  DATABASE_URL: stores.databaseUrl,
  REDIS_URL: stores.redisUrl,
  OUTDIAL_DATA_DIR: dataDir,
  OUTDIAL_KEY_PEPPER: TEST_PEPPER,
  OUTDIAL_DEFAULT_POLICY: 'open',
  PORT: '0',
});

/** For a start that does not succeed. */
const endOf = (env: Record<string, string>) => startProcess({ ...settings(), ...env }).ended;

describe('a start that cannot succeed exits with an error that says what to do:', () => {
  it('invalid settings, each with its own error', async () => {
    const { code, stderr } = await endOf({
      DATABASE_URL: '',
      REDIS_URL: 'http://localhost',
      PORT: '70000',
      OUTDIAL_KEY_PEPPER: 'secret',
      LOG_LEVEL: 'loud',
    });
    expect([code, stderr.trimEnd().split('\n').toSorted()]).toEqual([
      1,
      [
        expect.stringMatching(/^DATABASE_URL is not set/),
        expect.stringMatching(/^LOG_LEVEL=loud cannot be used: it must be trace, debug/),
        expect.stringMatching(/^OUTDIAL_KEY_PEPPER cannot be used: it must be at least 32 bytes/),
        expect.stringMatching(/^PORT=70000 cannot be used: it must be a whole number from 0 to 65535/),
        expect.stringMatching(/^REDIS_URL cannot be used: it must be a URL that begins with redis:/),
      ],
    ]);
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['no pepper at all', { OUTDIAL_KEY_PEPPER: '' }, /OUTDIAL_KEY_PEPPER is not set, and .*key-pepper cannot be read/],
    ['an address of another machine', { HOST: '203.0.113.1' }, /203\.0\.113\.1 is not an address of this machine/],
  ])('%s', async (_what, env, sentence) => {
    const { code, stderr } = await endOf(env);
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(stderr).not.toContain('    at ');
  });

  it('a store that cannot be used', async () => {
    const url = new URL(stores.databaseUrl);
    url.pathname = '/postgres';
    const { code, stderr } = await endOf({ DATABASE_URL: url.href });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^DATABASE_URL cannot be used: .*apply the migrations first.*\.\n$/),
    ]);
  });

  it('a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    invariant(address !== null && typeof address === 'object', 'a TCP server has an address');
    const { port } = address;
    const { code, stderr } = await startProcess({ ...settings(), PORT: String(port) }).ended;
    other.close();
    expect([code, stderr.trim()]).toEqual([
      1,
      `Port ${port} is in use by another program: stop it, or set PORT to another port.`,
    ]);
  });
});

describe('the check of the stores names the setting and the reason:', () => {
  it.each<[string, 'DATABASE_URL' | 'REDIS_URL', (url: URL) => void, string]>([
    ['a user that Postgres does not know', 'DATABASE_URL', (url) => (url.username = 'stranger'), 'Postgres .*user'],
    ['a missing database', 'DATABASE_URL', (url) => (url.pathname = '/nowhere'), 'no database of this name'],
    ['a database without tables', 'DATABASE_URL', (url) => (url.pathname = '/postgres'), 'apply the migrations first'],
    ['TLS that Postgres does not speak', 'DATABASE_URL', (url) => (url.search = '?ssl=true'), 'does not speak TLS'],
    ['a user that Redis does not know', 'REDIS_URL', (url) => (url.username = 'stranger'), 'Redis .*user or password'],
    [
      'a Redis database beyond the last',
      'REDIS_URL',
      (url) => (url.pathname = '/99999'),
      'no database with this number',
    ],
  ])('%s', async (_what, name, change, reason) => {
    const url = new URL(settings()[name]);
    change(url);
    const config = await readConfig({ ...settings(), [name]: url.href });
    // A store that does not answer in time is asked again, as at a start.
    const error: unknown = await checkStoresUntilKnown(config, systemClock).catch((thrown: unknown) => thrown);
    invariant(error instanceof EnvError, 'the setting cannot be used');
    expect(error.message).toMatch(new RegExp(`^${name} cannot be used: .*${reason}.*\\.$`));
    expect(error.message).not.toContain('stranger');
  });
});

it('a process becomes ready without a request, reads its pepper from the data folder, and logs neither keys nor full numbers', async () => {
  await writeFile(join(dataDir, 'key-pepper'), `${TEST_PEPPER}\n`, { mode: 0o600 });
  const api = startProcess({ ...settings(), OUTDIAL_KEY_PEPPER: '', LOG_LEVEL: 'debug' });
  const client = createClient(await api.listening());
  await api.said(/ready for requests/);
  expect((await client.request('GET', '//readyz')).status).toBe(200);
  const key = `od_live_${'x'.repeat(36)}`;
  expect((await client.request('GET', '/account', { key })).status).toBe(401);
  await client.request('POST', '/outbound/calls', { key, json: { to_number: '+12025550143' } });
  api.child.kill('SIGTERM');
  expect((await api.ended).code).toBe(0);
  const log = api.lines.join('\n');
  expect(log).toContain('request answered');
  expect(log).not.toContain(key);
  expect(log).not.toContain('+12025550143');
});
