import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdmission } from '@outdial/admission';
import {
  createEndCall,
  rebuildGate,
  type Call,
  type CredentialDirectory,
  type EndedCall,
  type Gate,
} from '@outdial/calls';
import { createCallSchema, type AccountId, type AgentId, type CallId } from '@outdial/contracts';
import { createLogger, invariant, systemClock, type TraceParent } from '@outdial/kernel';
import {
  createCallReader,
  createDatabase,
  createDirectory,
  createEndStore,
  createReconcileStore,
  type Database,
} from '@outdial/persistence';
import { connectPatiently, createCallQueue, createEndSignals, type RedisClient } from '@outdial/queue';
import { createGate, createTrunkChannels } from '@outdial/reservations';
import { testStores } from '@outdial/testkit';
import { compose } from '../src/compose/compose.ts';
import { readConfig, type WorkerConfig } from '../src/settings/config.ts';
import { PRODUCT_TIMINGS, type WorkerTimings } from '../src/settings/timings.ts';
import type { Worker } from '../src/lifecycle/worker.ts';
import { seed, type SeedOptions } from './seed.ts';

export interface PlaceOptions {
  readonly maxDurationSeconds?: number;
  readonly ringTimeoutSeconds?: number;
  /** By an agent that listens for a minute to a silent callee. */
  readonly patient?: boolean;
  /** The name by which the agent addresses the callee. Defaults to `Ada`. */
  readonly name?: string;
  readonly agentId?: AgentId;
  /** Where the request is in its trace. */
  readonly traceParent?: TraceParent;
  /** Further fields of the request, such as `scheduled_for`. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Real stores with one account in them, and the path by which its calls are placed. */
export interface Stage {
  readonly redisUrl: string;
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly redis: RedisClient;
  readonly database: Database;
  readonly gate: Gate;
  readonly accountId: AccountId;
  /** Whose calls are placed, unless a test asks for the patient one. */
  readonly agentId: AgentId;
  place(toNumber: string, options?: PlaceOptions): Promise<CallId>;
  end(callId: CallId): Promise<void>;
  find(callId: CallId): Promise<Call>;
  events(callId: CallId): Promise<readonly string[]>;
  /** Resolves once the call has this status, or has ended. */
  until(callId: CallId, status: Call['status']): Promise<Call>;
  untilEnded(callId: CallId): Promise<EndedCall>;
  /** A worker in this process, with the timings of the product unless others are given. */
  startWorker(env?: Readonly<Record<string, string>>, timings?: WorkerTimings): Promise<Worker>;
  /** Ends every worker that this stage started, at once. */
  stopWorkers(): Promise<void>;
  environment(env?: Readonly<Record<string, string>>): Record<string, string>;
  rebuild(): Promise<void>;
  /** The reports of stopped workers about their trunks no longer limit the system. */
  liftTrunkLimit(): Promise<void>;
  close(): Promise<void>;
}

export interface StageOptions extends SeedOptions {
  /** Without it, the account has a credential for every provider. */
  readonly credentials?: (database: Database) => CredentialDirectory;
  readonly stores?: { readonly redisUrl: string; readonly databaseUrl: string };
}

const logger = createLogger({ name: 'test', level: 'silent' });
const POLL_MS = 20;

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const own = options.stores ? null : await testStores();
  const { redisUrl, databaseUrl } = options.stores ?? own ?? invariantStores();
  const dataDir = await mkdtemp(join(tmpdir(), 'outdial-worker-'));
  // The test's own connections, separate from those under test: patient, since tests share their machine with others.
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  const database = createDatabase({ url: databaseUrl, poolSize: 4, readPoolSize: 4, ...patience });
  const redis = connectPatiently(redisUrl);
  redis.on('error', () => undefined);
  const gate = createGate({ redis });
  const queue = createCallQueue({ redis, logger });
  const reconcileStore = createReconcileStore(database);
  const directory = createDirectory(database);
  const reader = createCallReader(database);
  const { accountId, agentId, patientAgentId } = await seed(database, options);
  const workers: Worker[] = [];

  const rebuild = async () => void (await rebuildGate({ gate, reconcileStore, queue, logger }));
  const admission = createAdmission({
    clock: systemClock,
    logger,
    database,
    gate,
    queue,
    directory,
    credentials: options.credentials?.(database) ?? { find: async () => ({ id: randomUUID(), accountId }) },
    queueTtlSeconds: 600,
    // Calls wait in the queue here, whatever trunks the last worker had.
    readTrunkAvailability: async () => null,
  });
  const endCall = createEndCall({
    store: createEndStore(database),
    reader,
    gate,
    signals: createEndSignals({ redis }),
  });
  await rebuild();

  async function find(callId: CallId): Promise<Call> {
    const call = await reader.find(accountId, callId);
    invariant(call, 'the call is there');
    return call;
  }

  async function until(callId: CallId, status: Call['status']): Promise<Call> {
    for (;;) {
      const call = await find(callId);
      if (call.status === status || call.status === 'ended') return call;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  async function stopWorkers(): Promise<void> {
    await Promise.all(workers.splice(0).map((worker) => worker.stop(AbortSignal.abort())));
  }

  const environment = (env: Readonly<Record<string, string>> = {}) => ({
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    OUTDIAL_DATA_DIR: dataDir,
    OUTDIAL_SIMULATED_SPEED: '20',
    OUTDIAL_WORKER_CONCURRENCY: '50',
    OUTDIAL_DATABASE_POOL: '4',
    OUTDIAL_DRAIN_SECONDS: '0',
    LOG_LEVEL: 'silent',
    ...env,
  });

  return {
    redisUrl,
    databaseUrl,
    dataDir,
    redis,
    database,
    gate,
    accountId,
    agentId,
    find,
    until,
    environment,
    rebuild,
    async liftTrunkLimit() {
      await createTrunkChannels({ redis }).limitSystem(await reconcileStore.systemLimits());
    },
    async place(
      toNumber,
      {
        maxDurationSeconds,
        ringTimeoutSeconds,
        patient = false,
        name = 'Ada',
        agentId: chosen,
        fields,
        traceParent,
      } = {},
    ) {
      const account = await directory.findAccount(accountId);
      invariant(account, 'the account is there');
      const body = createCallSchema.parse({
        to_number: toNumber,
        agent_id: chosen ?? (patient ? patientAgentId : agentId),
        variables: { name },
        max_duration_seconds: maxDurationSeconds,
        ring_timeout_seconds: ringTimeoutSeconds,
        ...fields,
      });
      const deadlineMs = systemClock.monotonicMs() + 60_000;
      const request = { account, body, idempotencyKey: null, requestId: randomUUID(), traceParent, deadlineMs };
      let outcome = await admission.acceptCall(request);
      // A busy machine may be late to answer.
      for (; outcome.kind === 'service_unavailable'; outcome = await admission.acceptCall(request)) {
        invariant(systemClock.monotonicMs() < deadlineMs, 'a call is accepted in time');
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      invariant(outcome.kind === 'accepted', `the call was not accepted: ${outcome.kind}`);
      return outcome.call.id;
    },
    async end(callId) {
      await endCall({ accountId, callId });
    },
    async events(callId) {
      const events = await reader.events(accountId, callId);
      return (events ?? []).map((event) => event.type);
    },
    async untilEnded(callId) {
      const call = await until(callId, 'ended');
      invariant(call.status === 'ended', 'the call has ended');
      return call;
    },
    async startWorker(env, timings = PRODUCT_TIMINGS) {
      const config: WorkerConfig = readConfig(environment(env));
      const stageLogger = createLogger({ name: 'worker', level: config.LOG_LEVEL });
      const worker = await compose({ config, logger: stageLogger, timings });
      workers.push(worker);
      await worker.start();
      return worker;
    },
    stopWorkers,
    async close() {
      await stopWorkers();
      await admission.close();
      await queue.close();
      redis.disconnect();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
      await own?.close();
    },
  };
}

function invariantStores(): never {
  throw new Error('there are no stores');
}
