import { createChatCompletions, requeueAnalyses, type AnalysisDeps, type ProviderAccess } from '@outdial/analysis';
import { ANALYSIS_QUEUE, type CallId } from '@outdial/contracts';
import { createEgressClient } from '@outdial/egress';
import type { Clock, Logger } from '@outdial/kernel';
import type { WorkerMetrics } from '@outdial/metrics';
import { createAnalysisStore, createReconcileStore, type Database } from '@outdial/persistence';
import { createCallQueue, createChangeSignals } from '@outdial/queue';
import { createFundsGate, createGate } from '@outdial/reservations';
import { startAnalyses } from '../consumers/analyze-calls.ts';
import { startLoop, type Loop } from '../loops/loop.ts';
import type { WorkerConfig } from '../settings/config.ts';
import type { WorkerTimings } from '../settings/timings.ts';
import type { RedisConnections } from '../stores/redis-connections.ts';

export interface AnalysesOptions {
  readonly config: Pick<WorkerConfig, 'OUTDIAL_EGRESS_ALLOW' | 'OUTDIAL_EGRESS_PROXY'>;
  readonly database: Database;
  readonly redis: Pick<RedisConnections, 'commands' | 'consumer'>;
  readonly metrics: Pick<WorkerMetrics, 'analysis' | 'observer'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timings: Pick<WorkerTimings, 'requeueAnalysesEveryMs'>;
  readonly providers: ProviderAccess;
}

/** The analyses of ended calls. */
export interface WorkerAnalyses {
  /** A call has ended and is to be analyzed. */
  readonly wanted: (callId: CallId) => void;
  startLoops(): readonly Loop[];
  close(): Promise<void>;
}

export function composeAnalyses(options: AnalysesOptions): WorkerAnalyses {
  const { config, database, redis, metrics, clock, logger, timings, providers } = options;
  const queue = createCallQueue({ redis: redis.commands, logger, name: ANALYSIS_QUEUE });
  const egress = createEgressClient({
    allowed: config.OUTDIAL_EGRESS_ALLOW,
    proxy: config.OUTDIAL_EGRESS_PROXY ?? null,
    clock,
  });
  const store = createAnalysisStore(database, { onCommitted: createChangeSignals({ redis: redis.commands }).publish });
  const deps: AnalysisDeps = {
    ...providers,
    store,
    gate: createGate({ redis: redis.commands }),
    funds: createFundsGate({ redis: redis.commands }),
    limits: createReconcileStore(database),
    openModel: createChatCompletions(egress),
    clock,
    logger,
    onOutcome: metrics.analysis,
  };
  const jobs = async () => {
    const { waiting, active } = await queue.counts();
    return waiting + active;
  };
  const requeue = () => requeueAnalyses({ store, queue, jobs, observer: metrics.observer, logger });
  return {
    wanted(callId) {
      queue
        .add([callId])
        .catch((error: unknown) =>
          logger.warn({ event: 'analysis.queue_failed', err: error, callId }, 'analysis not queued yet'),
        );
    },
    startLoops: () => [
      startAnalyses({ ...deps, redis: redis.consumer }),
      startLoop({
        name: 'requeue analyses',
        intervalMs: timings.requeueAnalysesEveryMs,
        round: requeue,
        clock,
        logger,
        random: Math.random,
      }),
    ],
    async close() {
      await Promise.all([queue.close(), egress.close()]);
    },
  };
}
