import { invariant } from '@outdial/kernel';
import type { Database } from '../database.ts';

/** A worker's report on itself. */
export interface WorkerReport {
  readonly id: string;
  readonly host: string;
  readonly version: string;
  readonly startedAtMs: number;
  readonly liveCalls: number;
  readonly concurrency: number;
  /** The worker was asked to exit. */
  readonly isStopping: boolean;
}

export interface WorkerRegistry {
  /** Saves the report; call it every two seconds. Returns what operators request of the worker. */
  report(report: WorkerReport): Promise<{ readonly shouldDrain: boolean }>;
  /** Removes a worker that exits without calls. */
  leave(workerId: string): Promise<void>;
}

/** The running workers. A worker that is gone is removed after an hour. */
export function createWorkerRegistry({ side }: Database): WorkerRegistry {
  return {
    async report({ id, host, version, startedAtMs, liveCalls, concurrency, isStopping }) {
      const [row] = await side.$queryRaw<{ shouldDrain: boolean }[]>`
        WITH gone AS (
          DELETE FROM workers WHERE seen_at < clock_timestamp() - interval '1 hour' AND id <> ${id}
        )
        INSERT INTO workers AS w (id, host, version, started_at, seen_at, live_calls, concurrency, stopping)
        VALUES (${id}, ${host}, ${version}, from_epoch_ms(${startedAtMs}::bigint), clock_timestamp(), ${liveCalls},
                ${concurrency}, ${isStopping})
        ON CONFLICT (id) DO UPDATE
          SET seen_at = excluded.seen_at, live_calls = excluded.live_calls, concurrency = excluded.concurrency,
              stopping = excluded.stopping
        RETURNING w.drain_requested AS "shouldDrain"`;
      invariant(row, 'a worker that reports has a row');
      return row;
    },
    async leave(workerId) {
      await side.$executeRaw`DELETE FROM workers WHERE id = ${workerId}`;
    },
  };
}
