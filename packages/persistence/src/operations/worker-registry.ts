import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';

/** What a worker tells of itself. */
export interface WorkerReport {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAtMs: number;
  readonly liveCalls: number;
  readonly concurrency: number;
  /** Whoever runs it has told it to end. */
  readonly isStopping: boolean;
}

export interface WorkerRegistry {
  /** To be repeated every other second. Says what operators want of the worker. */
  tell(report: WorkerReport): Promise<{ readonly isToDrain: boolean }>;
  /** It ends, and has no calls. */
  leave(workerId: string): Promise<void>;
}

/** Which workers there are. Those that are gone are forgotten after an hour. */
export function createWorkerRegistry({ side }: Database): WorkerRegistry {
  return {
    async tell({ id, host, version, startedAtMs, liveCalls, concurrency, isStopping }) {
      const [row] = await side.$queryRaw<{ isToDrain: boolean }[]>`
        WITH gone AS (
          DELETE FROM workers WHERE seen_at < clock_timestamp() - interval '1 hour' AND id <> ${id}
        )
        INSERT INTO workers AS w (id, host, version, started_at, seen_at, live_calls, concurrency, stopping)
        VALUES (${id}, ${host}, ${version}, from_epoch_ms(${startedAtMs}::bigint), clock_timestamp(), ${liveCalls},
                ${concurrency}, ${isStopping})
        ON CONFLICT (id) DO UPDATE
          SET seen_at = excluded.seen_at, live_calls = excluded.live_calls, concurrency = excluded.concurrency,
              stopping = excluded.stopping
        RETURNING w.drain_requested AS "isToDrain"`;
      invariant(row, 'whoever tells has a row');
      return row;
    },
    async leave(workerId) {
      await side.$executeRaw`DELETE FROM workers WHERE id = ${workerId}`;
    },
  };
}
