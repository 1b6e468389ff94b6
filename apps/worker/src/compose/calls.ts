import type { ProviderAccess } from '@outdial/analysis';
import { createCallDriver, type CallDriver, type Gate, type ReconcileDeps } from '@outdial/calls';
import { correlateWithTraces, type Clock, type Logger } from '@outdial/kernel';
import type { WorkerMetrics } from '@outdial/metrics';
import {
  createAcceptStore,
  createDriveStore,
  createDuties,
  createHoldReader,
  createReconcileStore,
  createRetentionStore,
  type Database,
} from '@outdial/persistence';
import {
  createCallQueue,
  createCallSoundPublisher,
  createChangeSignals,
  createTurnSignals,
  subscribeToEndSignals,
  subscribeToInstructions,
} from '@outdial/queue';
import { assertGateSupport, createDialMarks, subscribeToMonitors } from '@outdial/reservations';
import { createCallTraces, type CallTraces, type Traces } from '@outdial/traces';
import { consumeCalls } from '../consumers/drive-calls.ts';
import { createInstructedCalls } from '../instructions/instructed-calls.ts';
import type { CallIntake } from '../lifecycle/call-intake.ts';
import type { WorkerParts } from '../lifecycle/worker.ts';
import type { Loop } from '../loops/loop.ts';
import { startCompareGate } from '../loops/compare-gate-loop.ts';
import { startLoops } from '../loops/loops.ts';
import { startRetention } from '../loops/retention-loop.ts';
import { createMonitoredCalls, type MonitoredCalls } from '../monitors/monitored-calls.ts';
import type { WorkerConfig } from '../settings/config.ts';
import { secretKeyIfAny } from '../settings/sip-settings.ts';
import type { WorkerTimings } from '../settings/timings.ts';
import type { RedisConnections } from '../stores/redis-connections.ts';
import type { WorkerAnalyses } from './analyses.ts';
import { composeModelCalls, type ModelCalls } from './model-calls.ts';
import { composeOperations } from './operations.ts';
import { composeRecordings, type WorkerRecordings } from './recordings.ts';
import type { Telephony } from './telephony-parts.ts';
import { composeTelephony } from './telephony.ts';
import { composeSecondLegs, composeTransferRules } from './transfer-rules.ts';
import { measureTurn } from './turn-delays.ts';

export interface CallsOptions {
  readonly config: WorkerConfig;
  readonly database: Database;
  readonly redis: RedisConnections;
  readonly gate: Gate;
  readonly metrics: WorkerMetrics;
  readonly providers: ProviderAccess;
  readonly analyses: Pick<WorkerAnalyses, 'wanted'>;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timings: WorkerTimings;
  /** Null: nothing is traced. */
  readonly traces: Traces | null;
}

/** The role `calls`: driving them, and reconciling what crashed workers left. */
export interface WorkerCalls extends Pick<WorkerParts, 'driver' | 'consumer' | 'registration'> {
  readonly intake: CallIntake;
  /** For metrics. */
  readonly readings: Pick<Telephony, 'readTrunks' | 'certificateExpiresAtMs'> & { readonly liveCallsLimit: number };
  prepare(): Promise<void>;
  startLoops(): readonly Loop[];
  readonly finishUploads: WorkerParts['finishUploads'];
  close(): Promise<void>;
}

/** @throws EnvError */
export async function composeCalls(options: CallsOptions): Promise<WorkerCalls> {
  const { config, database, redis, gate, metrics, providers, workerId, clock, logger, timings, traces } = options;
  const { uploadEveryMs, reconcileEveryMs } = timings;
  const duties = createDuties(database, { workerId });
  const recordings = composeRecordings({ config, database, workerId, clock, logger, metrics, uploadEveryMs, traces });
  const credentials = providers.opener;
  const secretKey = await secretKeyIfAny(config);
  const modelCalls = composeModelCalls({ config, database, redis: redis.commands, gate, secretKey, clock, logger });
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
  const instructed = createInstructedCalls(telephony.conversations);
  const monitored = createMonitoredCalls({
    conversations: instructed.conversations,
    publisher: createCallSoundPublisher({ redis: redis.sound }),
    clock,
    onBatch: metrics.monitorSound,
  });
  const callTraces = traces && createCallTraces(traces, clock);
  if (callTraces) correlateWithTraces(logger, callTraces.traceIdOf);
  const { driver, queue, reconcileDeps } = joinUseCases({
    ...options,
    recordings,
    telephony,
    modelCalls,
    monitored,
    callTraces,
  });
  const concurrency = config.OUTDIAL_WORKER_CONCURRENCY;
  const consumer = consumeCalls({ redis: redis.consumer, logger, clock, concurrency, driver });
  const { subscriber } = redis;
  const common = { database, subscriber, workerId, clock, logger };
  const operations = composeOperations({ ...common, consumer, driver, concurrency });
  const { readTrunks, certificateExpiresAtMs } = telephony;

  return {
    driver,
    consumer,
    intake: operations.intake,
    registration: operations.registration,
    readings: { readTrunks, certificateExpiresAtMs, liveCallsLimit: concurrency },
    async prepare() {
      for (const warning of await assertGateSupport(redis.consumer))
        logger.warn({ event: 'redis.setting_risky' }, warning);
      await subscribeToEndSignals({
        redis: subscriber,
        logger,
        onEndRequested: (callId) => driver.endRequested(callId),
      });
      await subscribeToMonitors({
        redis: subscriber,
        logger,
        onMonitored: (callId, forMs) => monitored.monitored(callId, forMs),
      });
      await subscribeToInstructions({
        redis: subscriber,
        answers: redis.commands,
        logger,
        onInstruction: (callId, text) => instructed.instruct(callId, text),
      });
      await operations.prepare();
      await Promise.all([telephony.prepare(), recordings.prepare()]);
    },
    startLoops: () => [
      ...startLoops({ ...reconcileDeps, reconcileEveryMs }),
      startCompareGate({
        gate,
        reconcileStore: reconcileDeps.reconcileStore,
        holdReader: createHoldReader(database),
        duties,
        show: metrics.drift,
        intervalMs: timings.compareGateEveryMs,
        clock,
        logger,
      }),
      startRetention({
        store: createRetentionStore(database),
        inventory: recordings.inventory,
        duties,
        deleted: metrics.retentionDeleted,
        intervalMs: timings.retentionEveryMs,
        clock,
        logger,
      }),
      ...operations.startLoops(),
      ...telephony.startLoops(),
      ...recordings.startLoops(),
      ...modelCalls.startLoops(),
    ],
    finishUploads: (hurry) => recordings.finishUploads(hurry),
    async close() {
      await Promise.all([consumer.close(), telephony.close(), recordings.close(), modelCalls.close()]);
      await queue.close();
    },
  };
}

interface Joined extends CallsOptions {
  readonly recordings: WorkerRecordings;
  readonly telephony: Telephony;
  readonly modelCalls: ModelCalls;
  readonly monitored: MonitoredCalls;
  readonly callTraces: CallTraces | null;
}

function joinUseCases(joined: Joined) {
  const {
    database,
    redis,
    recordings,
    telephony,
    analyses,
    modelCalls,
    monitored,
    callTraces,
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
    observeCommit: callTraces?.observeCommit,
  });
  const measured = metrics.driveStore(store, { uploadsRecordings });
  const secondLegs = composeSecondLegs(database);
  const { carrier } = telephony;
  const { conversations } = monitored;
  const shared = {
    gate,
    store: callTraces?.driveStore(measured) ?? measured,
    carrier: callTraces?.carrier(carrier) ?? carrier,
    recordings: recordings.store,
    clock,
    logger,
    workerId,
    observer: metrics.observer,
    leaseTimes: timings.lease,
  };
  const driver: CallDriver = createCallDriver({
    ...shared,
    conversations: callTraces?.conversations(conversations) ?? conversations,
    marks: createDialMarks({ redis: redis.commands }),
    turnSignals: createTurnSignals({ redis: redis.commands }),
    onTurnMetrics: (call, turn) => measureTurn(metrics, call, turn),
    ...(telephony.trunks ? { trunks: telephony.trunks } : {}),
    lines: modelCalls.lines,
    transfers: composeTransferRules(database, clock),
    secondLegs: callTraces ? { ...secondLegs, store: callTraces.transferStore(secondLegs.store) } : secondLegs,
  });
  const reconcileDeps: ReconcileDeps = {
    ...shared,
    acceptStore: createAcceptStore(database, { clock }),
    reconcileStore: createReconcileStore(database),
    queue,
  };
  return { driver, queue, reconcileDeps };
}
