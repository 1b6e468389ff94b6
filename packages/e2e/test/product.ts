import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyScope } from '@outdial/contracts';
import { createDatabase } from '@outdial/persistence';
import { freePort, testStores } from '@outdial/testkit';
import { createSeeds, type SeededAccount } from './seeds.ts';
import { startService, type Service } from './service.ts';

/** The product for programs: stores, an API, and a worker with the simulated telephone network. */
export interface Product {
  readonly url: string;
  /** An account with money, a number, one agent named Reminder, and a key with these scopes. */
  account(options?: { readonly scopes?: readonly KeyScope[] }): Promise<SeededAccount>;
  stopApi(): Promise<void>;
  startApi(): Promise<void>;
  close(): Promise<void>;
}

/** @param speed the factor by which telephones are faster than in reality. */
export async function openProduct({ speed = 10 } = {}): Promise<Product> {
  const stores = await testStores();
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-product-'));
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const pepper = randomBytes(32);
  const url = `http://127.0.0.1:${apiPort}`;
  const shared = {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    OUTDIAL_DATA_DIR: dataDir,
    OUTDIAL_DATABASE_POOL: '4',
    OUTDIAL_SECRET_KEY: randomBytes(32).toString('hex'),
    // A port without a listener: no request of the product leaves this machine.
    OUTDIAL_EGRESS_PROXY: 'http://127.0.0.1:1',
    // Receivers of webhooks in tests.
    OUTDIAL_EGRESS_ALLOW: '127.0.0.1',
  };
  const apiOptions = {
    main: 'apps/api/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      ...shared,
      PORT: String(apiPort),
      OUTDIAL_KEY_PEPPER: pepper.toString('hex'),
      OUTDIAL_DEFAULT_POLICY: 'open',
      OUTDIAL_KEY_REQUESTS_PER_SECOND: '100000',
      OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: '100000',
    },
  };
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 2, readPoolSize: 2, ...patience });
  const seeds = createSeeds(database, pepper);
  const starting = [
    startService(apiOptions),
    startService({
      main: 'apps/worker/src/main.ts',
      readyUrl: `http://127.0.0.1:${workerPort}/readyz`,
      env: {
        ...shared,
        OUTDIAL_SIMULATED_SPEED: String(speed),
        OUTDIAL_DRAIN_SECONDS: '0',
        OUTDIAL_WORKER_HEALTH_PORT: String(workerPort),
      },
    }),
  ] as const;
  const [firstApi, worker] = await Promise.all(starting);
  let api: Service | null = firstApi;

  async function stopApi(): Promise<void> {
    await api?.stop();
    api = null;
  }

  return {
    url,
    account: (options = {}) => seeds.account({ scopes: ['outbound', 'manage'], ...options }),
    stopApi,
    async startApi() {
      api ??= await startService(apiOptions);
    },
    async close() {
      await Promise.all([stopApi(), worker.stop()]);
      await database.close();
      await stores.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
