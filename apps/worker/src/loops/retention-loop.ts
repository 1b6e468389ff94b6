import type { Logger } from '@outdial/kernel';
import type { Duties } from '@outdial/persistence';
import { startLoop, type Loop } from './loop.ts';
import { runRetentionRound, type Deleted, type RetentionRoundDeps } from './retention-round.ts';

export interface RetentionLoopOptions extends Omit<RetentionRoundDeps, 'mayGoOn' | 'deleted'> {
  readonly duties: Duties;
  readonly deleted: (kind: Deleted, count: number) => void;
  readonly logger: Logger;
  readonly intervalMs: number;
}

/** Longer than any batch; a worker that is gone leaves its duty after it. */
const DUTY_MS = 60_000;

/** Deletes what is older than its retention, in one worker for all of them. */
export function startRetention(options: RetentionLoopOptions): Loop {
  const { duties, logger, clock, intervalMs } = options;
  const mayGoOn = () => duties.take('retention', DUTY_MS);
  const round = async (stopping: AbortSignal) => {
    if (!(await mayGoOn())) return;
    const counts = new Map<Deleted, number>();
    const deleted = (kind: Deleted, count: number) => {
      counts.set(kind, (counts.get(kind) ?? 0) + count);
      options.deleted(kind, count);
    };
    await runRetentionRound({ ...options, mayGoOn, deleted }, stopping);
    if (counts.size > 0)
      logger.info({ event: 'retention.deleted', deleted: Object.fromEntries(counts) }, 'old data was deleted');
  };
  const loop = startLoop({ name: 'retention', intervalMs, round, clock, logger, random: Math.random });
  return {
    async stop() {
      await loop.stop();
      await duties.leave('retention').catch(() => undefined);
    },
  };
}
