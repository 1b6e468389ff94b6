import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseKeyPepper } from '@outdial/secrets';
import { invariant } from '@outdial/kernel';
import { createAdministration, createDatabase } from '@outdial/persistence';
import { postgresHosts } from '@outdial/postgres-hosts';
import type { RedisClient } from '@outdial/queue';
import { createAccountBefore } from '../previous/create-account.ts';
import { migrate } from '../previous/migrate.ts';
import { openPreviousVersion, type PreviousVersion } from '../previous/previous-version.ts';
import type { PrivateRedisCluster, PrivateSentinels, PrivateServer, ReplicatedPostgres } from '@outdial/testkit';
import { Pool, type QueryResultRow } from 'pg';
import { createAccount, type Account, type AccountOptions } from './account.ts';
import { startCallee } from './callee.ts';
import { readCarrierLog, type Leg } from './carrier-log.ts';
import { createNumbers, type CarrierName, type Persona } from './numbers.ts';
import { startModels, type ModelProviders } from './models.ts';
import { openPostgres, type Layout } from './postgres.ts';
import { openReceivers, type Receivers } from './receivers.ts';
import { connectTo, openRedis, type RedisKind } from './redis-kinds.ts';
import { endpointOf, type Service } from './service.ts';
import { prepareApi, prepareServices } from './services.ts';
import type { DatagramProxy } from './datagram-proxy.ts';

/** The whole product in its own processes and on its own stores, with a proxy on every wire between them. */
export interface Stack {
  readonly carrier: CarrierName;
  /** Whose schema and processes it was opened with; null for those of this tree. */
  readonly previous: PreviousVersion | null;
  readonly apis: readonly Service[];
  readonly workers: readonly Service[];
  readonly redisKind: RedisKind;
  /** The one Redis. In a group: the primary with the gate at the start, which restarts empty. */
  readonly redisServer: PrivateServer;
  readonly sentinels: PrivateSentinels | undefined;
  readonly cluster: PrivateRedisCluster | undefined;
  readonly layout: Layout;
  readonly postgresServer: PrivateServer;
  /** With the layout `replicated`; otherwise null. */
  readonly replicated: ReplicatedPostgres | null;
  /** With the layout `pooled`; otherwise null. */
  readonly pgbouncer: PrivateServer | null;
  /** Another API, on that database and our Redis, which is not started yet. The caller closes it. */
  strayApi(databaseUrl: string): Promise<Service>;
  /** Direct connection to the Redis in use, without a proxy. */
  readonly redis: RedisClient;
  /** Another Redis takes over, with the same password: for every process, and for us. */
  moveToRedis(url: string): void;
  /** The same, as a DNS change does it: existing connections stay with the old one. */
  pointToRedis(url: string): void;
  sql<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** With an endpoint for all webhooks. */
  account(options?: AccountOptions): Promise<Account>;
  /** Of the webhooks of all accounts. */
  readonly receivers: Receivers;
  /** A number to call. Over SIP each number is used for one call only. */
  number(persona: Persona): string;
  /** What was really dialed, from the far end's journal. */
  legs(): Promise<readonly Leg[]>;
  /** Processes that a fault has killed: their legs in the simulated network died with them. */
  readonly killedPids: Set<number>;
  /** Between workers and the callee; null in the simulated network, which has no signalling. */
  readonly signalling: DatagramProxy | null;
  /** The providers of models, over SIP; null in the simulated network, which has no sound. */
  readonly models: ModelProviders | null;
  /** While true no worker can write a recording: the disk is full. */
  fillDisk(full: boolean): Promise<void>;
  readonly logDir: string;
  /** Restores everything that a fault may have broken, and resolves once everything is ready. */
  restore(): Promise<void>;
  close(options?: { readonly keepLogs: boolean }): Promise<void>;
}

export interface StackOptions {
  readonly carrier: CarrierName;
  /** Defaults to one server. */
  readonly redisKind?: RedisKind;
  readonly announce: (text: string) => void;
  readonly layout?: Layout;
  /** Defaults to three with the layout `three-apis`, else to two. */
  readonly apiCount?: number;
  /** Defaults to three, which some faults need. */
  readonly workerCount?: number;
  /** Opens it with the schema and the processes of `deploy/rolling-from`. Only its fault brings it to this tree's. */
  readonly oneVersionBack?: boolean;
}

/** The services must be built: they start from their dist/. */
export async function openStack(options: StackOptions): Promise<Stack> {
  const closers: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  };
  try {
    return await open(options, closers, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function open(
  {
    carrier,
    redisKind = 'server',
    announce,
    layout = 'single',
    apiCount = layout === 'three-apis' ? 3 : 2,
    workerCount,
    oneVersionBack = false,
  }: StackOptions,
  closers: (() => Promise<unknown>)[],
  closeAll: () => Promise<void>,
): Promise<Stack> {
  const previous = oneVersionBack ? await openPreviousVersion(announce) : null;
  if (previous) closers.push(() => previous.close());
  const logDir = await mkdtemp(join(tmpdir(), 'outdial-chaos-'));
  await chmod(logDir, 0o711);
  const migrateBefore = previous && ((url: string) => migrate(url, previous.root));
  const [redisStore, postgres] = await Promise.all([openRedis(redisKind), openPostgres(layout, migrateBefore)]);
  const { server: postgresServer, replicated, pgbouncer } = postgres;
  closers.push(
    () => redisStore.close(),
    () => postgres.close(),
  );
  const redisServer = redisStore.first;
  let redis = redisStore.connect();
  closers.push(async () => redis.disconnect());
  const pool = new Pool({ ...postgresHosts(postgresServer.url).pool, max: 4 });
  pool.on('error', () => undefined);
  closers.push(() => pool.end());

  // Of ours, not of the product: long timeouts, for a busy machine.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: postgresServer.url, poolSize: 2, readPoolSize: 2, ...patience });
  closers.push(() => database.close());
  const admin = createAdministration(database, { actor: 'chaos' });
  const pepperHex = randomBytes(32).toString('hex');
  const pepper = parseKeyPepper(pepperHex);
  invariant(pepper !== null, '32 bytes make a pepper');

  const receivers = await openReceivers();
  closers.push(() => receivers.close());
  const journalPath = join(logDir, 'carrier.jsonl');
  const network = carrier === 'sip' ? await startCallee(admin, { logDir, journalPath }) : null;
  if (network) closers.push(() => network.close());
  const models = carrier === 'sip' ? await startModels(admin, { logDir }) : null;
  if (models) closers.push(() => models.close());
  const killedPids = new Set<number>();
  const diskFullPath = join(logDir, 'disk-full');
  const stores = { redisUrl: redisServer.url, directRedis: redisStore.direct, databaseUrl: postgres.url };
  const paths = { logDir, journalPath, diskFullPath };
  const plan = { carrier, root: previous?.root, ...stores, ...paths, pepperHex, apiCount, workerCount };
  const { apis, workers } = await prepareServices(plan);
  const services = [...apis, ...workers];
  closers.push(() => Promise.all(services.map((service) => service.close())));
  announce(`Starting ${apis.length} APIs and ${workers.length} workers (${carrier}); logs in ${logDir}`);
  await Promise.all(services.map((service) => service.start()));

  const number = createNumbers(carrier);
  return {
    carrier,
    previous,
    apis,
    workers,
    redisKind,
    redisServer,
    sentinels: redisStore.sentinels,
    cluster: redisStore.cluster,
    layout,
    postgresServer,
    replicated,
    pgbouncer,
    strayApi: (databaseUrl) => prepareApi({ ...plan, databaseUrl }, 'stray-api'),
    get redis() {
      return redis;
    },
    moveToRedis(url) {
      for (const { redisWire } of services) redisWire.redirect(endpointOf(url));
      redis.disconnect();
      redis = connectTo(url);
    },
    pointToRedis(url) {
      for (const { redisWire } of services) redisWire.lead(endpointOf(url));
      redis.disconnect();
      redis = connectTo(url);
    },
    killedPids,
    signalling: network?.signalling ?? null,
    models,
    fillDisk: (full) => (full ? writeFile(diskFullPath, '') : rm(diskFullPath, { force: true })),
    logDir,
    number,
    async sql<Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) {
      return (await pool.query<Row>(text, [...values])).rows;
    },
    account: (options = {}) =>
      previous
        ? createAccountBefore(previous, { databaseUrl: postgresServer.url, pepperHex, receivers, options })
        : createAccount({ database, pepper, receivers }, options),
    receivers,
    legs: () => readCarrierLog(journalPath),
    async restore() {
      receivers.releaseAll();
      network?.signalling.heal();
      models?.limit(false);
      models?.wire.heal();
      const servers = [...redisStore.servers, postgresServer, ...(pgbouncer ? [pgbouncer] : [])];
      await Promise.all(servers.map(revive));
      await rm(diskFullPath, { force: true });
      await Promise.all(services.map((service) => service.restore()));
    },
    async close({ keepLogs } = { keepLogs: false }) {
      await closeAll();
      if (!keepLogs) await rm(logDir, { recursive: true, force: true });
    },
  };
}

/** A server does not report whether it is running; starting a running one throws. */
async function revive(server: PrivateServer): Promise<void> {
  try {
    await server.start();
  } catch {
    await server.resume();
  }
}
