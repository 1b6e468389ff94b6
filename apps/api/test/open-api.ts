import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PolicyPack } from '@outdial/contracts';
import { parseKeyPepper } from '@outdial/secrets';
import { egressEnv } from '@outdial/egress';
import { createLogger, invariant, parseEnv, sentinelEnv } from '@outdial/kernel';
import { createAdministration, createDatabase, type Administration, type Database } from '@outdial/persistence';
import { recordingsEnv } from '@outdial/recordings';
import { testStores } from '@outdial/testkit';
import { tracesEnv } from '@outdial/traces';
import type { ApiConfig } from '../src/config.ts';
import { dashboardEnv } from '../src/dashboard/env.ts';
import type { Route } from '../src/http/define-route.ts';
import { limitsEnv } from '../src/limits-env.ts';
import { startApi, type RunningApi } from '../src/start.ts';
import { createClient, type ApiClient } from './client.ts';
import { createSeeds, type Seeds } from './seeds.ts';
import { createSignIns, type SignIns } from './sign-in.ts';

export interface StoreUrls {
  readonly redisUrl: string;
  readonly databaseUrl: string;
}

/** An API on real stores, with what a test needs to inspect it. */
export interface TestApi extends ApiClient, Seeds, SignIns {
  readonly url: string;
  readonly routes: readonly Route[];
  readonly metricsUrl: string;
  readonly dataDir: string;
  readonly stores: StoreUrls;
  readonly admin: Administration;
  readonly database: Database;
  /** The log lines so far, as JSON. */
  readonly logLines: readonly string[];
  /** Another process of the same service, as far as clients can see. */
  startAnother(): Promise<ApiClient & RunningApi>;
  close(): Promise<void>;
}

export interface TestApiOptions {
  /** Servers that the test stops, hangs or kills; by default this file's own databases on the shared ones. */
  readonly stores?: StoreUrls;
  /** Limits of keys and accounts, as in the environment; by default high limits of requests and streams. */
  readonly limits?: NodeJS.ProcessEnv;
  /** The recording store, as in the environment; by default the data folder. */
  readonly recordings?: NodeJS.ProcessEnv;
  /** Settings of the dashboard, as in the environment. */
  readonly dashboard?: NodeJS.ProcessEnv;
  /** The secret key of the trunks' passwords; null: not set. */
  readonly secretKey?: Buffer | null;
  /** What new accounts begin with; by default, without a rule. */
  readonly defaultPolicy?: PolicyPack;
  /** Where requests to providers and tools may go, as in the environment. */
  readonly egress?: NodeJS.ProcessEnv;
  /** Where spans go, as in the environment; by default nowhere. */
  readonly traces?: NodeJS.ProcessEnv;
  /** The folder of the built dashboard; by default one that does not exist. */
  readonly dashboardDir?: string;
  /** Of the built documentation; by default a folder that does not exist. */
  readonly siteDir?: string;
}

export const TEST_PEPPER = '5e'.repeat(32);
const pepper = parseKeyPepper(TEST_PEPPER);
invariant(pepper, 'the test’s pepper is long enough');

export async function openApi(options: TestApiOptions = {}): Promise<TestApi> {
  const own = options.stores ? null : await testStores();
  const stores = options.stores ?? own;
  invariant(stores, 'there are stores');
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-api-'));
  const config: ApiConfig = {
    PORT: 0,
    OUTDIAL_SHUTDOWN_DELAY_SECONDS: 0,
    HOST: '127.0.0.1',
    DATABASE_URL: stores.databaseUrl,
    REDIS_URL: stores.redisUrl,
    ...parseEnv(sentinelEnv, {}),
    OUTDIAL_DATA_DIR: dataDir,
    ...parseEnv(recordingsEnv, options.recordings ?? {}),
    // Browsers of tests send their own address in X-Forwarded-For.
    ...parseEnv(dashboardEnv, { OUTDIAL_TRUSTED_PROXIES: 'loopback', ...options.dashboard }),
    OUTDIAL_KEY_PEPPER: pepper ?? Buffer.alloc(0),
    OUTDIAL_SECRET_KEY: options.secretKey ?? null,
    OUTDIAL_DEFAULT_POLICY: options.defaultPolicy ?? 'open',
    ...parseEnv(egressEnv, options.egress ?? {}),
    ...parseEnv(tracesEnv, options.traces ?? {}),
    ...parseEnv(limitsEnv, {
      OUTDIAL_KEY_REQUESTS_PER_SECOND: '100000',
      OUTDIAL_KEY_STREAMS: '1000',
      OUTDIAL_ACCOUNT_REQUESTS_PER_SECOND: '100000',
      OUTDIAL_ACCOUNT_STREAMS: '1000',
      ...options.limits,
    }),
    OUTDIAL_DATABASE_POOL: 6,
    OUTDIAL_QUEUE_TTL_SECONDS: 600,
    OUTDIAL_DASHBOARD_DIR: options.dashboardDir ?? join(dataDir, 'dashboard'),
    OUTDIAL_DOCS_DIR: options.siteDir ?? join(dataDir, 'docs'),
    METRICS_HOST: '127.0.0.1',
    METRICS_PORT: 0,
    LOG_LEVEL: 'debug',
  };
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const start = async (): Promise<RunningApi> => {
    const started = await startApi(config, createLogger({ name: 'api', level: 'debug', destination }));
    // A test may stop a process before the end.
    let stopping: Promise<void> | undefined;
    return { ...started, stop: () => (stopping ??= started.stop()) };
  };
  const running = await start();
  // The test's own connections, separate from those under test: patient, since tests share their machine with others.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: stores.databaseUrl, poolSize: 2, readPoolSize: 2, ...patience });
  const admin = createAdministration(database, { actor: 'test' });
  const others: RunningApi[] = [];
  const client = createClient(running.url);
  await client.untilReady();
  return {
    ...client,
    ...createSeeds(database, pepper ?? Buffer.alloc(0)),
    ...createSignIns(database),
    url: running.url,
    routes: running.routes,
    metricsUrl: running.metricsUrl ?? '',
    dataDir,
    stores,
    admin,
    database,
    logLines,
    async startAnother() {
      const another = await start();
      others.push(another);
      return { ...createClient(another.url), ...another };
    },
    async close() {
      await Promise.all([running, ...others].map((api) => api.stop()));
      await database.close();
      await rm(dataDir, { recursive: true });
      await own?.close();
    },
  };
}
