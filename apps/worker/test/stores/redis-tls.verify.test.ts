import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  freePort,
  LOCALHOST_IDENTITY,
  privateRedis,
  privateRedisCluster,
  privateRedisSentinels,
  redisTlsPort,
  testStores,
  type TestStores,
} from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { killChildWorkers, startChildWorker } from '../child-worker.ts';

const START_LIMIT_MS = 60_000;

interface Group {
  readonly url: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly killPrimary: () => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const GROUPS: readonly (readonly [string, () => Promise<Group>])[] = [
  [
    'rediss://',
    async () => {
      const { port, settings } = await redisTlsPort();
      const server = await privateRedis({ settings });
      const url = `rediss://:${new URL(server.url).password}@localhost:${port}/0`;
      const killPrimary = async () => {
        await server.kill();
        await server.start();
      };
      return { url, environment: {}, killPrimary, close: () => server.close() };
    },
  ],
  [
    'rediss+sentinel://',
    async () => {
      const group = await privateRedisSentinels({ withTls: true });
      return {
        url: group.url,
        environment: { OUTDIAL_SENTINEL_PASSWORD: group.sentinelPassword },
        killPrimary: async () => (await group.primary()).kill(),
        close: () => group.close(),
      };
    },
  ],
  [
    'rediss+cluster://',
    async () => {
      const group = await privateRedisCluster({ withTls: true, withReplicas: true });
      // The second one has the slot of the gate.
      const killPrimary = async () => group.primaries[1]?.kill();
      return { url: group.url, environment: {}, killPrimary, close: () => group.close() };
    },
  ],
];

/** ioredis hides why it reached no Sentinel and no node. */
const HIDDEN_REASONS: Readonly<Record<string, RegExp>> = {
  'rediss+sentinel://': /All sentinels are unreachable/,
  'rediss+cluster://': /Redis is not connected/,
};

let stores: TestStores;
let authority: string;
beforeAll(async () => {
  stores = await testStores();
  authority = join(await mkdtemp(join(tmpdir(), 'outdial-tls-')), 'authority.pem');
  await writeFile(authority, LOCALHOST_IDENTITY.authority);
});
afterEach(killChildWorkers);
afterAll(async () => {
  await stores.close();
  await rm(dirname(authority), { recursive: true });
});

describe.each(GROUPS)('%s', (kind, open) => {
  let group: Group;
  beforeAll(async () => {
    group = await open();
  }, START_LIMIT_MS);
  afterAll(() => group.close(), START_LIMIT_MS);

  async function start(redisUrl: string, env: Readonly<Record<string, string>> = {}) {
    const port = await freePort();
    const child = startChildWorker({
      DATABASE_URL: stores.databaseUrl,
      REDIS_URL: redisUrl,
      OUTDIAL_SIMULATED_MEDIA: 'off',
      OUTDIAL_WORKER_HEALTH_PORT: String(port),
      ...group.environment,
      ...env,
    });
    return { child, readiness: async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status };
  }

  test.each([
    ['for another name', (url: string) => url.replaceAll('localhost', '127.0.0.1'), true, /altnames/],
    ['of an unknown authority', (url: string) => url, false, /unable to verify|self-signed|issuer certificate/],
  ])('a certificate %s is refused, and the log says so', async (_, change, isTrusted, reason) => {
    const { child, readiness } = await start(change(group.url), isTrusted ? { NODE_EXTRA_CA_CERTS: authority } : {});
    await child.said('Redis is away');
    expect(JSON.stringify(child.linesOf('Redis is away'))).toMatch(HIDDEN_REASONS[kind] ?? reason);
    expect(await readiness()).toBe(503);
    expect(child.linesOf('taking calls')).toEqual([]);
  });

  test(
    'a worker takes calls over TLS, and follows to what replaces a primary that is killed',
    { timeout: START_LIMIT_MS },
    async () => {
      expect(group.url.startsWith(kind)).toBe(true);
      const { child, readiness } = await start(group.url, { NODE_EXTRA_CA_CERTS: authority });
      await child.said('taking calls');
      await expect.poll(readiness).toBe(200);
      await group.killPrimary();
      await expect.poll(readiness, { timeout: START_LIMIT_MS }).toBe(200);
    },
  );
});
