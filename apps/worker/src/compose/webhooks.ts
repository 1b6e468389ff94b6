import { createEgressClient } from '@outdial/egress';
import type { Clock, Logger } from '@outdial/kernel';
import type { WorkerMetrics } from '@outdial/metrics';
import { createWebhookStore, daysOf, readRetention, type Database } from '@outdial/persistence';
import { subscribeToChangeSignals, type RedisClient } from '@outdial/queue';
import { CONNECT_TIMEOUT_MS, createWebhookSender, type WebhookStore } from '@outdial/webhooks';
import { traceDeliveries, type Traces } from '@outdial/traces';
import type { Loop } from '../loops/loop.ts';
import { startWebhookLoops } from '../loops/webhook-loops.ts';
import type { WorkerConfig } from '../settings/config.ts';
import { secretKeyIfAny } from '../settings/sip-settings.ts';
import type { WorkerTimings } from '../settings/timings.ts';
import { WORKER_VERSION } from '../settings/version.ts';

export interface WebhooksOptions {
  readonly config: WorkerConfig;
  readonly database: Database;
  /** A connection used for subscriptions alone. */
  readonly subscriber: RedisClient;
  readonly metrics: Pick<WorkerMetrics, 'webhooks'>;
  readonly workerId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly timings: Pick<WorkerTimings, 'webhooks'>;
  /** Null: nothing is traced. */
  readonly traces: Traces | null;
}

/** The role `webhooks`: sending them, and what keeps their tables in order. */
export interface WorkerWebhooks {
  startLoops(): readonly Loop[];
  /** Requests in flight have five seconds. Never rejects. */
  finishSending(): Promise<void>;
  close(): Promise<void>;
}

export async function composeWebhooks(options: WebhooksOptions): Promise<WorkerWebhooks> {
  const { config, database, subscriber, metrics, workerId, clock, logger, timings } = options;
  const store: WebhookStore = createWebhookStore(database, { workerId });
  const fallback = config.OUTDIAL_WEBHOOK_RETENTION_DAYS;
  const retentionDays = async () => daysOf(await readRetention(database), 'webhooks', fallback) ?? fallback;
  const loops = () => startWebhookLoops({ store, retentionDays, clock, logger });
  const secretKey = await secretKeyIfAny(config);
  if (secretKey === null) {
    const say = () => logger.info({ event: 'webhook.no_secret_key' }, 'there is no secret key: no webhook is sent');
    return {
      startLoops() {
        say();
        return loops();
      },
      finishSending: async () => undefined,
      close: async () => undefined,
    };
  }
  const egress = createEgressClient({
    allowed: config.OUTDIAL_EGRESS_ALLOW,
    proxy: config.OUTDIAL_EGRESS_PROXY ?? null,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    // Accounts may share an origin: a request that waited for a connection would wait for a stranger's receiver.
    maxConnectionsPerOrigin: config.OUTDIAL_WEBHOOK_CONCURRENCY,
    clock,
  });
  const sender = createWebhookSender({
    store,
    egress,
    secretKey,
    version: WORKER_VERSION,
    concurrency: config.OUTDIAL_WEBHOOK_CONCURRENCY,
    observer: metrics.webhooks,
    traces: options.traces ? traceDeliveries(options.traces.tracer) : undefined,
    clock,
    logger,
    random: Math.random,
    timings: timings.webhooks,
  });
  return {
    startLoops() {
      sender.start();
      // Waits for Redis as long as it takes: rounds follow each other every second without hints.
      subscribeToChangeSignals({
        redis: subscriber,
        logger,
        isWanted: () => false,
        onAnnounced: () => sender.hint(),
        onChanged: () => undefined,
      }).catch((error: unknown) =>
        logger.debug({ event: 'webhook.hints_missing', err: error }, 'no change hints: webhooks are sent every second'),
      );
      return loops();
    },
    finishSending: () => sender.stop(),
    close: () => egress.close(),
  };
}
