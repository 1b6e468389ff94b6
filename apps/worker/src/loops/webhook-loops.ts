import type { Clock, Logger } from '@outdial/kernel';
import type { WebhookStore } from '@outdial/webhooks';
import { startLoop, type Loop } from './loop.ts';

export interface WebhookLoopsDeps {
  readonly store: Pick<WebhookStore, 'dropOrphans' | 'disableFailing' | 'advanceReplays' | 'deleteExpired'>;
  readonly retentionDays: () => Promise<number>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Someone who asked for a replay waits for it. */
const REPLAY_EVERY_MS = 1_000;
/** What waits for an endpoint that is gone would raise an alarm after a minute. */
const DROP_EVERY_MS = 5_000;
const DISABLE_EVERY_MS = 60_000;
const DELETE_EVERY_MS = 3_600_000;

/** Keeps the tables of webhooks in order. Each statement has a bound; any number of workers may run these at once. */
export function startWebhookLoops({ store, retentionDays, clock, logger }: WebhookLoopsDeps): readonly Loop[] {
  const start = (name: string, intervalMs: number, round: (stopping: AbortSignal) => Promise<unknown>) =>
    startLoop({ name, intervalMs, round, clock, logger, random: Math.random });
  return [
    start('replay webhooks', REPLAY_EVERY_MS, async (stopping) => {
      let isUnfinished = true;
      while (isUnfinished && !stopping.aborted) isUnfinished = await store.advanceReplays();
    }),
    start('drop webhooks', DROP_EVERY_MS, async (stopping) => {
      const dropped = await untilNone(() => store.dropOrphans(), stopping);
      if (dropped > 0)
        logger.info({ event: 'webhook.orphans_dropped', count: dropped }, 'webhooks without an endpoint were dropped');
    }),
    start('disable webhook endpoints', DISABLE_EVERY_MS, async () => {
      const disabled = await store.disableFailing();
      if (disabled > 0)
        logger.warn(
          { event: 'webhook.endpoints_disabled', count: disabled },
          'failing webhook endpoints were disabled',
        );
    }),
    start('delete expired webhooks', DELETE_EVERY_MS, async (stopping) => {
      const days = await retentionDays();
      const deleted = await untilNone(() => store.deleteExpired(days), stopping);
      if (deleted > 0) logger.debug({ event: 'webhook.expired_deleted', count: deleted }, 'old webhooks were deleted');
    }),
  ];
}

async function untilNone(step: () => Promise<number>, stopping: AbortSignal): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await step();
    total += count;
    if (count === 0 || stopping.aborted) return total;
  }
}
