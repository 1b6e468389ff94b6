import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, type Database } from '@outdial/persistence';
import { parseSecretKey, type SecretKey } from '@outdial/secrets';
import { invariant } from '@outdial/kernel';
import { freePort, testStores } from '@outdial/testkit';
import { openBrowser } from '@outdial/testkit/browser';
import { createSeeds, type Seeds } from './seeds.ts';
import { startService, type Service } from './service.ts';
import { createCustomer, type Customer } from './customer.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';

/** The whole product: stores, API with the built dashboard, a worker with the simulated telephone network, a browser. */
export interface Stage extends Seeds, Customer {
  readonly url: string;
  readonly database: Database;
  readonly redisUrl: string;
  /** Seals the credentials of providers. */
  readonly secretKey: SecretKey;
  /** The simulated providers of models: started by the first test that asks. */
  models(): Promise<string>;
  /** A browser context, as another person would have. Its page is watched; `faults` lists what it did wrong. */
  visit(options?: VisitOptions): Promise<Visit>;
  stopApi(): Promise<void>;
  /** Does nothing while the API is running. */
  startApi(): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions {
  /** The factor by which telephones are faster than in reality. */
  readonly speed?: number;
}

export async function openStage({ speed = 10 }: StageOptions = {}): Promise<Stage> {
  const stores = await testStores();
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-e2e-'));
  const [apiPort, workerPort] = [await freePort(), await freePort()];
  const pepper = randomBytes(32);
  const secretText = randomBytes(32).toString('hex');
  const secretKey = parseSecretKey(secretText);
  invariant(secretKey !== null, 'a secret key has 32 bytes');
  const url = `http://127.0.0.1:${apiPort}`;
  const shared = {
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    OUTDIAL_DATA_DIR: dataDir,
    OUTDIAL_DATABASE_POOL: '4',
  };
  const apiOptions = {
    main: 'apps/api/src/main.ts',
    readyUrl: `${url}/readyz`,
    env: {
      ...shared,
      PORT: String(apiPort),
      OUTDIAL_KEY_PEPPER: pepper.toString('hex'),
      OUTDIAL_DEFAULT_POLICY: 'open',
      OUTDIAL_TEST_NUMBERS: 'true',
      OUTDIAL_SECRET_KEY: secretText,
      // A port without a listener: no request of the product leaves this machine.
      OUTDIAL_EGRESS_PROXY: 'http://127.0.0.1:1',
      // Receivers of webhooks in tests. The workers send to them.
      OUTDIAL_EGRESS_ALLOW: '127.0.0.1',
      OUTDIAL_TRIAL_CREDIT: '5.00',
      // Many requests use one key, and its limit is not under test here.
      OUTDIAL_KEY_REQUESTS_PER_SECOND: '100000',
      OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: '100000',
    },
  };
  const workerOptions = {
    main: 'apps/worker/src/main.ts',
    readyUrl: `http://127.0.0.1:${workerPort}/readyz`,
    env: {
      ...shared,
      OUTDIAL_SIMULATED_SPEED: String(speed),
      OUTDIAL_SECRET_KEY: secretText,
      // The simulated providers of models, and no other address of this machine's networks.
      OUTDIAL_EGRESS_ALLOW: '127.0.0.1',
      OUTDIAL_DRAIN_SECONDS: '0',
      OUTDIAL_WORKER_HEALTH_PORT: String(workerPort),
    },
  };
  // The test's own connection. Its timeouts are long because tests share the machine.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 2, readPoolSize: 2, ...patience });
  const seeds = createSeeds(database, pepper);
  const [firstApi, worker, browser] = await Promise.all([
    startService(apiOptions),
    startService(workerOptions),
    openBrowser(),
  ]);
  let api: Service | null = firstApi;

  let models: Promise<{ readonly url: string; readonly service: Service }> | undefined;

  async function stopApi(): Promise<void> {
    await api?.stop();
    api = null;
  }

  return {
    ...seeds,
    ...createCustomer(url),
    url,
    database,
    redisUrl: stores.redisUrl,
    secretKey,
    async models() {
      models ??= startModels();
      return (await models).url;
    },
    visit: (options) => openVisit(browser, url, options),
    stopApi,
    async startApi() {
      api ??= await startService(apiOptions);
    },
    async close() {
      await browser.close();
      await Promise.all([stopApi(), worker.stop(), models?.then(({ service }) => service.stop())]);
      await database.close();
      await stores.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function startModels() {
  const port = await freePort();
  const modelsUrl = `http://127.0.0.1:${port}`;
  const service = await startService({
    main: 'apps/models/src/main.ts',
    readyUrl: `${modelsUrl}/healthz`,
    env: { OUTDIAL_MODELS_PORT: String(port) },
  });
  return { url: modelsUrl, service };
}
