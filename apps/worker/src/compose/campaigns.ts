import { randomUUID } from 'node:crypto';
import { createBatchedQueue, createGateRebuild } from '@outdial/admission';
import { createAdmitDue, createEndCall, createSweepCampaigns, type Gate } from '@outdial/calls';
import { reservationIdSchema } from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { WorkerMetrics } from '@outdial/metrics';
import {
  cachedDirectory,
  cachedTrunkAvailability,
  createAcceptStore,
  createCallReader,
  createCampaignSweepStore,
  createCandidateReader,
  createCredentialDirectory,
  createDirectory,
  createEndStore,
  createLineDirectory,
  createReconcileStore,
  createScheduleStore,
  createTrunkAvailabilityStore,
  type Database,
} from '@outdial/persistence';
import { createCallQueue, createChangeSignals, createEndSignals, subscribeToCampaignSignals } from '@outdial/queue';
import { createLineGate } from '@outdial/reservations';
import { startAdmissionLoops } from '../loops/admission-loops.ts';
import type { Loop } from '../loops/loop.ts';
import type { RedisConnections } from '../stores/redis-connections.ts';

export interface CampaignsOptions {
  readonly database: Database;
  readonly redis: Pick<RedisConnections, 'commands' | 'subscriber'>;
  /** On the connection of `commands`, which keeps commands in order: a release must follow the reserve that it undoes. */
  readonly gate: Gate;
  readonly metrics: Pick<WorkerMetrics, 'admissions' | 'missedTurns' | 'observer'>;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The role `campaigns`: admitting scheduled calls. Needs the gate and the queue, and no carrier. */
export interface WorkerCampaigns {
  startLoops(): readonly Loop[];
  /** Call once the loops have stopped. */
  close(): Promise<void>;
}

export function composeCampaigns(options: CampaignsOptions): WorkerCampaigns {
  const { database, redis, gate, metrics, workerId, clock, logger } = options;
  const jobs = createCallQueue({ redis: redis.commands, logger });
  const queue = createBatchedQueue(jobs, logger);
  const reconcileStore = createReconcileStore(database);
  const observer = metrics.observer;
  const rebuild = createGateRebuild({ gate, reconcileStore, queue: jobs, logger, clock, database, observer });
  const announcing = { onCommitted: createChangeSignals({ redis: redis.commands }).publish };
  const store = createScheduleStore(database, announcing);
  const campaigns = createSweepCampaigns({
    store: createCampaignSweepStore(database, announcing),
    observer: metrics.admissions,
    endCall: createEndCall({
      store: createEndStore(database, announcing),
      reader: createCallReader(database),
      gate,
      signals: createEndSignals({ redis: redis.commands }),
    }),
    logger,
  });
  const admitDue = createAdmitDue({
    clock,
    logger,
    workerId,
    gate,
    store,
    queue,
    acceptStore: createAcceptStore(database, { clock }),
    limits: reconcileStore,
    requestRebuild: rebuild.request,
    directory: cachedDirectory(createDirectory(database), clock),
    credentials: createCredentialDirectory(createCandidateReader(database), clock),
    readTrunkAvailability: cachedTrunkAvailability(createTrunkAvailabilityStore(database), clock),
    lines: { gate: createLineGate({ redis: redis.commands }), directory: createLineDirectory(database) },
    newReservationId: () => reservationIdSchema.parse(randomUUID()),
    observer: metrics.admissions,
  });
  return {
    startLoops: () =>
      startAdmissionLoops({
        admitDue,
        store,
        campaigns,
        onCampaignsChanged: (onChanged) =>
          // Waits for Redis as long as it takes: without hints, rounds follow each other all the same.
          void subscribeToCampaignSignals({ redis: redis.subscriber, onChanged }).catch((error: unknown) =>
            logger.debug({ event: 'campaign.hints_missing', err: error }, 'no hints: campaigns are looked at in turn'),
          ),
        onMissed: metrics.missedTurns,
        clock,
        logger,
      }),
    async close() {
      await Promise.all([admitDue.idle(), rebuild.stop()]);
      await queue.idle();
      await jobs.close();
    },
  };
}
