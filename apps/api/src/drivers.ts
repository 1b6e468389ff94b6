import { join } from 'node:path';
import { createAdmission } from '@outdial/admission';
import { createPlanCampaign } from '@outdial/calls';
import { createEgressClient, createEgressFetch } from '@outdial/egress';
import { redisAccessOf, systemClock, type Logger } from '@outdial/kernel';
import { readEmailBacklog } from '@outdial/identity';
import { createApiMetrics } from '@outdial/metrics';
import {
  cachedDirectory,
  createCallReader,
  createDatabase,
  createDirectory,
  createEndStore,
  createExportCalls,
  createKeyUsage,
  createOperationsReader,
  createSystemReader,
  createCandidateReader,
  createEvaluationStore,
  createTryStore,
  createCredentialDirectory,
} from '@outdial/persistence';
import {
  createCallQueue,
  createCallSoundSubscriptions,
  createCampaignSignals,
  createChangeSignals,
  createEndSignals,
  createInstructionSender,
  createOperationSignals,
  createPersonEnd,
  createTryChannel,
  createTrySoundPlaces,
  onConnectionLost,
} from '@outdial/queue';
import { EVALUATION_QUEUE, MOST_MONITORS, TRY_QUEUE } from '@outdial/contracts';
import { openRecordings, s3SettingsOf } from '@outdial/recordings';
import {
  createBreakers,
  createGate,
  createLineReader,
  createMonitorPlaces,
  type GateUnsupportedError,
} from '@outdial/reservations';
import { createRequestTraces, type Traces } from '@outdial/traces';
import type { ApiConfig } from './config.ts';
import { createDefaultPolicy } from './default-policy.ts';
import { SERVICE_VERSION } from './dashboard/service/version.ts';
import { openLive } from './live/open-live.ts';
import { watchStores } from './outages.ts';
import { connectRedis } from './redis-connections.ts';

export interface DriverOptions {
  readonly config: ApiConfig;
  readonly logger: Logger;
  /** Null: nothing is traced. */
  readonly traces: Traces | null;
  /** Called if this Redis can never carry the gate. */
  readonly onUnsupported: (error: GateUnsupportedError) => void;
}

export type Drivers = ReturnType<typeof openDrivers>;

/**
 * When a connection is closed as hung. Requests have shorter deadlines. It must not be much longer: when a hung
 * Postgres comes back, every connection would still be waiting for it.
 */
const QUERY_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 800;
/** The import of a large deck is one statement. */
const SLOW_QUERY_TIMEOUT_MS = 60_000;

/** Opens the connections, and the drivers on them that the use cases need. */
export function openDrivers({ config, logger, traces, onUnsupported }: DriverOptions) {
  const clock = systemClock;
  const requestTraces = traces && createRequestTraces(traces, clock);
  const metrics = createApiMetrics(clock);
  const database = openDatabase(config, () => {
    outages.suspect('postgres');
    admission.warmUp();
  });
  const redis = connectRedis(redisAccessOf(config), logger, onUnsupported);
  const gate = createGate({ redis: redis.gate });
  const outages = watchStores({ database, redis, gate, logger, clock });
  const queue = createCallQueue({ redis: redis.queue, logger });
  const changes = createChangeSignals({ redis: redis.queue });
  const directory = cachedDirectory(createDirectory(database), clock);
  const readCandidates = createCandidateReader(database);
  const credentials = createCredentialDirectory(readCandidates, clock);
  const admission = createAdmission({
    clock,
    logger,
    database,
    gate,
    queue,
    directory,
    credentials,
    queueTtlSeconds: config.OUTDIAL_QUEUE_TTL_SECONDS,
    onCommitted: changes.publish,
    observer: metrics.observer,
    traces: requestTraces?.admission,
  });
  const systemReader = createSystemReader(database);
  metrics.watch({
    stores: () => outages.conditions(),
    gate,
    emails: () => readEmailBacklog(database),
    reader: systemReader,
    jobs: () => queue.counts(),
    spansDropped: traces?.dropped ?? null,
  });
  admission.warmUp();
  onConnectionLost(redis.gate, admission.warmUp);
  return {
    clock,
    metrics,
    requestTraces,
    database,
    /** Announces calls that were changed. */
    publishChanges: changes.publish,
    slowDatabase: openSlowDatabase(config),
    defaultPolicy: createDefaultPolicy(database, config.OUTDIAL_DEFAULT_POLICY),
    redis,
    outages,
    gate,
    breakers: createBreakers({ redis: redis.gate }),
    lineReader: createLineReader({ redis: redis.gate }),
    queue,
    signals: createEndSignals({ redis: redis.queue }),
    /** Reaches the workers of live calls. */
    instructions: createInstructionSender({ redis: redis.queue, subscriber: redis.changes, clock }),
    campaignSignals: createCampaignSignals({ redis: redis.queue }),
    operationSignals: createOperationSignals({ redis: redis.queue }),
    endStore: metrics.endStore(createEndStore(database, { onCommitted: changes.publish })),
    reader: createCallReader(database),
    systemReader,
    operationsReader: createOperationsReader(database),
    exportCalls: createExportCalls(database),
    live: openLive({
      database,
      redis: redis.changes,
      logger,
      secretKey: config.OUTDIAL_SECRET_KEY,
      version: SERVICE_VERSION,
    }),
    directory,
    planCampaign: createPlanCampaign({ directory, credentials }),
    readCandidates,
    admission,
    evaluations: {
      store: createEvaluationStore(database),
      queue: createCallQueue({ redis: redis.queue, logger, name: EVALUATION_QUEUE }),
      models: { directory, credentials },
    },
    tries: {
      store: createTryStore(database),
      queue: createCallQueue({ redis: redis.queue, logger, name: TRY_QUEUE }),
      channel: createTryChannel({ redis: redis.queue }),
      models: { directory, credentials },
    },
    /** Bounds who listens to live calls, and brings their sound. */
    monitorPlaces: createMonitorPlaces({ redis: redis.queue, places: MOST_MONITORS }),
    callSound: createCallSoundSubscriptions({ redis: redis.sound }),
    trySound: createPersonEnd({ sender: redis.microphones, receiver: redis.sound }),
    trySoundPlaces: createTrySoundPlaces({ redis: redis.queue }),
    egress: createEgressClient({
      allowed: config.OUTDIAL_EGRESS_ALLOW,
      proxy: config.OUTDIAL_EGRESS_PROXY ?? null,
      clock,
    }),
    toolStreams: createEgressFetch({
      allowed: config.OUTDIAL_EGRESS_ALLOW,
      proxy: config.OUTDIAL_EGRESS_PROXY ?? null,
      clock,
    }),
    keyUsage: createKeyUsage(database, {
      clock,
      onError: (error) =>
        logger.warn({ event: 'api_key.use_not_saved', err: error }, 'the last use of keys was not saved'),
    }),
    recordings: openRecordings({
      directory: join(config.OUTDIAL_DATA_DIR, 'recordings'),
      s3: s3SettingsOf(config),
      onError: (error) => logger.warn({ event: 'recording.read_failed', err: error }, 'a recording could not be read'),
    }),
  };
}

/** The number of connections opened for reading. */
export function readPoolSizeOf({ OUTDIAL_DATABASE_POOL: poolSize }: ApiConfig): number {
  return Math.ceil(poolSize / 2);
}

function openDatabase(config: ApiConfig, onConnectionLost: () => void) {
  return createDatabase({
    url: config.DATABASE_URL,
    poolSize: config.OUTDIAL_DATABASE_POOL,
    readPoolSize: readPoolSizeOf(config),
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    onConnectionError: onConnectionLost,
  });
}

/** For the few long statements of operators. Opens its connection at the first of them. */
function openSlowDatabase(config: ApiConfig) {
  return createDatabase({
    url: config.DATABASE_URL,
    poolSize: 1,
    readPoolSize: 1,
    queryTimeoutMs: SLOW_QUERY_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
  });
}
