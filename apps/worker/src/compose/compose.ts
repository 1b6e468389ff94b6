import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ProviderAccess } from '@outdial/analysis';
import { sweepExpired } from '@outdial/identity/sweep';
import { redisAccessOf, systemClock, type Logger } from '@outdial/kernel';
import { createWorkerMetrics } from '@outdial/metrics';
import {
  countEndedCalls,
  createDatabase,
  createDialCountSweep,
  createSystemReader,
  createWebhookStore,
  type Database,
} from '@outdial/persistence';
import { createCallQueue } from '@outdial/queue';
import { createBreakers, createGate } from '@outdial/reservations';
import { openTraces, traceSettingsOf } from '@outdial/traces';
import { composeAnalyses } from './analyses.ts';
import { composeCalls } from './calls.ts';
import { composeCampaigns } from './campaigns.ts';
import { withoutCalls } from './no-calls.ts';
import { openProviderAccess } from './provider-access.ts';
import { composeTries } from './tries.ts';
import { composeWebhooks } from './webhooks.ts';
import { createWorker, type Worker } from '../lifecycle/worker.ts';
import { startDialCounts } from '../loops/dial-counts-loop.ts';
import { startSweep } from '../loops/sweep-loop.ts';
import { startTotals } from '../loops/totals-loop.ts';
import { WORKER_VERSION } from '../settings/version.ts';
import type { WorkerConfig } from '../settings/config.ts';
import { PRODUCT_TIMINGS, type WorkerTimings } from '../settings/timings.ts';
import { watchStores } from '../stores/outages.ts';
import { checkStores } from '../stores/readiness.ts';
import { connectRedis } from '../stores/redis-connections.ts';

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
  const roles = config.OUTDIAL_WORKER_ROLES;
  const metrics = createWorkerMetrics(clock, { freshMs: timings.metricsFreshMs });
  const workerId = `${hostname()}:${process.pid}:${randomUUID()}`;
  const traces = await openTraces({
    settings: traceSettingsOf(config, 'outdial-worker'),
    version: WORKER_VERSION,
    clock,
    logger,
  });
  const database = openDatabase(config, () => outages.suspect('postgres'));
  const redis = connectRedis(redisAccessOf(config), logger);
  const outages = watchStores({ database, redis, logger, clock });
  const providers = given ?? (await openProviderAccess({ config, database, clock, logger }));
  const gate = createGate({ redis: redis.commands });
  const shared = { config, database, redis, metrics, clock, logger, timings, providers, workerId, gate, traces };
  // Each end of a call queues its analysis.
  const analyses = composeAnalyses(shared);
  const calls = roles.has('calls') ? await composeCalls({ ...shared, analyses }) : withoutCalls(logger);
  const tries = roles.has('analysis') ? composeTries(shared) : null;
  const webhooks = roles.has('webhooks') ? await composeWebhooks({ ...shared, subscriber: redis.subscriber }) : null;
  const campaigns = roles.has('campaigns') ? composeCampaigns(shared) : null;
  const dialCounts = createDialCountSweep(database);
  const webhookBacklog = createWebhookStore(database, { workerId });
  const breakers = createBreakers({ redis: redis.commands });
  const queue = createCallQueue({ redis: redis.commands, logger });

  metrics.watch({
    stores: () => outages.conditions(),
    liveCalls: () => calls.driver.liveCalls(),
    liveCallsLimit: calls.readings.liveCallsLimit,
    trunks: calls.readings.readTrunks,
    breakers: () => breakers.open(),
    webhooks: () => webhookBacklog.backlog(),
    certificateExpiresAtMs: calls.readings.certificateExpiresAtMs,
    reader: createSystemReader(database),
    gate,
    jobs: () => queue.counts(),
    spansDropped: traces?.dropped ?? null,
  });

  return createWorker({
    driver: calls.driver,
    consumer: calls.consumer,
    intake: calls.intake,
    registration: calls.registration,
    clock,
    logger,
    drainLimitMs: config.OUTDIAL_DRAIN_SECONDS * 1_000,
    prepare: () => calls.prepare(),
    exposeMetrics: metrics.expose,
    startLoops: () => [
      ...calls.startLoops(),
      ...(roles.has('analysis') ? analyses.startLoops() : []),
      ...(tries?.startLoops() ?? []),
      ...(webhooks?.startLoops() ?? []),
      ...(campaigns?.startLoops() ?? []),
      startSweep({ sweep: (stopping) => sweepExpired(database, { stopping }), clock, logger }),
      startDialCounts({ step: () => dialCounts.step(), clock, logger }),
      startTotals({ count: (stopping) => countEndedCalls(database, stopping), clock, logger }),
    ],
    finishSending: async () => webhooks?.finishSending(),
    finishUploads: calls.finishUploads,
    announceStart() {
      if (roles.has('calls')) logger.info({ event: 'worker.taking_calls' }, 'taking calls');
      else logger.info({ event: 'worker.without_calls', roles: [...roles] }, 'working without calls');
    },
    checkStores: () => checkStores({ database, redis, gate, clock }),
    async close() {
      await Promise.all([calls.close(), analyses.close(), tries?.close(), webhooks?.close(), campaigns?.close()]);
      await queue.close();
      outages.stop();
      redis.close();
      await Promise.all([database.close(), traces?.close()]);
    },
  });
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
