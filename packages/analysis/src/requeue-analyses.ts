import type { AnalysisStore, CallQueue, Observer } from '@outdial/calls';
import type { Logger } from '@outdial/kernel';

/** Long enough for the add that follows a settlement, and for a job that becomes due. */
const OVERDUE_MS = 15_000;
const MAX_CALLS_PER_SWEEP = 500;

export interface RequeueAnalysesDeps {
  readonly store: Pick<AnalysisStore, 'overdue'>;
  readonly queue: Pick<CallQueue, 'missing' | 'add'>;
  /** The jobs that wait or are being handled. Each of them does one analysis, of that call or of another. */
  readonly jobs: () => Promise<number>;
  readonly observer?: Pick<Observer, 'found'>;
  readonly logger: Logger;
}

/** Gives calls whose analysis is overdue the jobs that the queue lost. Any number of workers may do it at once. */
export async function requeueAnalyses({ store, queue, jobs, observer, logger }: RequeueAnalysesDeps): Promise<void> {
  const overdue = await store.overdue({ overdueMs: OVERDUE_MS, limit: MAX_CALLS_PER_SWEEP });
  if (overdue.length === 0 || (await jobs()) >= overdue.length) return;
  const missing = await queue.missing(overdue);
  if (missing.length === 0) return;
  await queue.add(missing);
  observer?.found('lost_job', missing.length);
  logger.warn({ event: 'analysis.requeued', calls: missing.length }, 'analyses queued again');
}
