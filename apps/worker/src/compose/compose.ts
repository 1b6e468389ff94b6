import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ProviderAccess } from '@outdial/analysis';
import { createCallDriver, type Gate, type ReconcileDeps } from '@outdial/calls';
import { sweepExpired } from '@outdial/identity/sweep';
import { systemClock, type Clock, type Logger } from '@outdial/kernel';
import { createWorkerMetrics, type WorkerMetrics } from '@outdial/metrics';
import {
  countEndedCalls,
  createAcceptStore,
  createDatabase,
  createDriveStore,
  createReconcileStore,
  createSystemReader,
  type Database,
} from '@outdial/persistence';
import { createCallQueue, createChangeSignals, createTurnSignals, subscribeToEndSignals } from '@outdial/queue';
import { assertGateSupport, createDialMarks, createGate } from '@outdial/reservations';
import { composeAnalyses, type WorkerAnalyses } from './analyses.ts';
import { composeModelCalls, type ModelCalls } from './model-calls.ts';
import { composeOperations } from './operations.ts';
import { composeRecordings, type WorkerRecordings } from './recordings.ts';
import { composeTelephony } from './telephony.ts';
import { measureTurn } from './turn-delays.ts';
import { composeTries } from './tries.ts';
import { openProviderAccess } from './provider-access.ts';
import type { Telephony } from './telephony-parts.ts';
import type { WorkerConfig } from '../settings/config.ts';
import { consumeCalls } from '../consumers/drive-calls.ts';
import { startLoops } from '../loops/loops.ts';
import { startSweep } from '../loops/sweep-loop.ts';
import { startTotals } from '../loops/totals-loop.ts';
import { watchStores } from '../stores/outages.ts';
import { checkStores } from '../stores/readiness.ts';
import { connectRedis, type RedisConnections } from '../stores/redis-connections.ts';
import { PRODUCT_TIMINGS, type WorkerTimings } from '../settings/timings.ts';
import { createWorker, type Worker } from '../lifecycle/worker.ts';

/** Above the time of a statement in a busy Postgres; the connection to a hung one is closed. */
const QUERY_TIMEOUT_MS = 4_000;
const CONNECT_TIMEOUT_MS = 2_000;

export interface ComposeOptions {
  readonly config: WorkerConfig;
  readonly logger: Logger;
  /** Defaults to `PRODUCT_TIMINGS`. */
  readonly timings?: WorkerTimings;
  /** Defaults to the credentials and prices in Postgres. */
  readonly providers?: ProviderAccess;
}

/**
 * Builds the drivers and joins them to the use cases. The composition modules alone know which drivers exist. @throws
 * EnvError
 */
export async function compose({
  config,
  logger,
  timings = PRODUCT_TIMINGS,
  providers: given,
}: ComposeOptions): Promise<Worker> {
  const clock = systemClock;
  const { uploadEveryMs, reconcileEveryMs, metricsFreshMs: freshMs } = timings;
  const metrics = createWorkerMetrics(clock, { freshMs });
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`;
  const database = openDatabase(config, () => outages.suspect('postgres'));
  const redis = connectRedis(config.REDIS_URL, logger);
  const outages = watchStores({ database, redis, logger, clock });
  const recordings = composeRecordings({ config, database, workerId, clock, logger, metrics, uploadEveryMs });
  const providers = given ?? (await openProviderAccess({ config, database, clock, logger }));
  const gate = createGate({ redis: redis.commands });
  const credentials = providers.opener;
  const modelCalls = composeModelCalls({ config, database, redis: redis.commands, gate, credentials, clock, logger });
  const telephony = await composeTelephony({
    config,
    database,
    redis: redis.commands,
    recordings: recordings.store,
    credentials,
    calls: modelCalls.calls,
    workerId,
    clock,
    logger,
  });
  const analyses = composeAnalyses({ config, database, redis, metrics, clock, logger, timings, providers });
  const tries = composeTries({ config, database, redis, providers, clock, logger });
  const joined = {
    database,
    redis,
    recordings,
    telephony,
    analyses,
    modelCalls,
    gate,
    metrics,
    workerId,
    clock,
    logger,
    timings,
  };
  const { driver, queue, reconcileDeps } = joinUseCases(joined);
  const concurrency = config.OUTDIAL_WORKER_CONCURRENCY;
  const { subscriber, consumer: takes } = redis;
  const consumer = consumeCalls({ redis: takes, logger, clock, concurrency, driver });
  const operations = composeOperations({ ...joined, subscriber, consumer, driver, concurrency });

  metrics.watch({
    stores: () => outages.conditions(),
    liveCalls: () => driver.liveCalls(),
    liveCallsLimit: concurrency,
    trunks: telephony.readTrunks,
    breakers: () => modelCalls.breakers.open(),
    certificateExpiresAtMs: telephony.certificateExpiresAtMs,
    reader: createSystemReader(database),
    gate,
  });

  return createWorker({
    driver,
    consumer,
    intake: operations.intake,
    registration: operations.registration,
    clock,
    logger,
    drainLimitMs: config.OUTDIAL_DRAIN_SECONDS * 1_000,
    async prepare() {
      for (const warning of await assertGateSupport(redis.consumer))
        logger.warn({ event: 'redis.setting_risky' }, warning);
      await subscribeToEndSignals({
        redis: redis.subscriber,
        logger,
        onEndRequested: (callId) => driver.endRequested(callId),
      });
      await operations.prepare();
      await Promise.all([telephony.prepare(), recordings.prepare()]);
    },
    exposeMetrics: () => metrics.expose(),
    startLoops: () => [
      ...startLoops({ ...reconcileDeps, reconcileEveryMs }),
      ...operations.startLoops(),
      ...telephony.startLoops(),
      ...recordings.startLoops(),
      ...analyses.startLoops(),
      ...tries.startLoops(),
      ...modelCalls.startLoops(),
      startSweep({ sweep: (stopping) => sweepExpired(database, { stopping }), clock, logger }),
      startTotals({ count: (stopping) => countEndedCalls(database, stopping), clock, logger }),
    ],
    checkStores: () => checkStores({ database, redis, gate, clock }),
    async close() {
      await Promise.all([
        consumer.close(),
        telephony.close(),
        recordings.close(),
        analyses.close(),
        tries.close(),
        modelCalls.close(),
      ]);
      await queue.close();
      outages.stop();
      redis.close();
      await database.close();
    },
  });
}

interface Joined {
  readonly database: Database;
  readonly redis: RedisConnections;
  readonly recordings: WorkerRecordings;
  readonly telephony: Telephony;
  readonly analyses: WorkerAnalyses;
  readonly modelCalls: ModelCalls;
  readonly gate: Gate;
  readonly metrics: WorkerMetrics;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timings: WorkerTimings;
}

/** The work on calls: driving them, and reconciling what crashed workers left. */
function joinUseCases(joined: Joined) {
  const {
    database,
    redis,
    recordings,
    telephony,
    analyses,
    modelCalls,
    gate,
    metrics,
    workerId,
    clock,
    logger,
    timings,
  } = joined;
  const queue = createCallQueue({ redis: redis.commands, logger });
  const { isUploading: uploadsRecordings } = recordings;
  const changes = createChangeSignals({ redis: redis.commands });
  const store = createDriveStore(database, {
    uploadsRecordings,
    onAnalysisWanted: analyses.wanted,
    onCommitted: changes.publish,
  });
  const shared = {
    gate,
    store: metrics.driveStore(store, { uploadsRecordings }),
    carrier: telephony.carrier,
    recordings: recordings.store,
    clock,
    logger,
    workerId,
    observer: metrics.observer,
    leaseTimes: timings.lease,
  };
  const driver = createCallDriver({
    ...shared,
    conversations: telephony.conversations,
    marks: createDialMarks({ redis: redis.commands }),
    turnSignals: createTurnSignals({ redis: redis.commands }),
    onTurnMetrics: (call, turn) => measureTurn(metrics, call, turn),
    ...(telephony.trunks ? { trunks: telephony.trunks } : {}),
    lines: modelCalls.lines,
  });
  const reconcileDeps: ReconcileDeps = {
    ...shared,
    acceptStore: createAcceptStore(database, { clock }),
    reconcileStore: createReconcileStore(database),
    queue,
  };
  return { driver, queue, reconcileDeps };
}

function openDatabase(config: WorkerConfig, onConnectionError: () => void): Database {
  return createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.OUTDIAL_DATABASE_POOL,
    readPoolSize: Math.ceil(config.OUTDIAL_DATABASE_POOL / 2),
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    onConnectionError,
  });
}
