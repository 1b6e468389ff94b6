import type { AccountId, TrunkName } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { readAccountNames, readOperatedCredentials, type OperatedCredentials } from './provider-credentials.ts';
import { readScheduleFigures, type ScheduleFigures } from './schedule-figures.ts';

export interface MinuteOfWaiting {
  /** Start of the minute. */
  readonly atMs: number;
  /** Calls that were accepted in this minute and have been dialed. */
  readonly calls: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** Figures for operators beside the metrics. */
export interface OperationsReader {
  /** How long calls of the last hour waited to be dialed, by the minute of acceptance. */
  waiting(): Promise<readonly MinuteOfWaiting[]>;
  /** The number of open calls per trunk. */
  channelsInUse(): Promise<ReadonlyMap<TrunkName, number>>;
  /** Scheduled calls and campaigns, now. */
  schedule(): Promise<ScheduleFigures>;
  /** The operator's credentials with their lines, at most so many. */
  credentials(limit: number): Promise<OperatedCredentials>;
  /** Accounts that do not exist are left out. */
  accountNames(ids: readonly AccountId[]): Promise<ReadonlyMap<AccountId, string>>;
}

export function createOperationsReader(database: Database): OperationsReader {
  const { side } = database;
  return {
    // A call that was never dialed has started_at = ended_at, and has no waiting time.
    waiting: () => side.$queryRaw<MinuteOfWaiting[]>`
      SELECT epoch_ms(w.minute) AS "atMs", count(*)::int AS calls,
        percentile_cont(0.5) WITHIN GROUP (ORDER BY w.ms) AS "p50Ms",
        percentile_cont(0.95) WITHIN GROUP (ORDER BY w.ms) AS "p95Ms"
      FROM (
        SELECT date_trunc('minute', COALESCE(c.queued_at, c.created_at), 'UTC') AS minute,
          EXTRACT(epoch FROM c.started_at - COALESCE(c.queued_at, c.created_at))::double precision * 1000 AS ms
        FROM calls c
        WHERE c.created_at >= date_trunc('minute', now(), 'UTC') - interval '59 minutes'
          AND c.started_at IS NOT NULL AND c.ended_at IS DISTINCT FROM c.started_at
      ) w
      GROUP BY w.minute ORDER BY w.minute`,
    async channelsInUse() {
      const rows = await side.$queryRaw<{ trunk: TrunkName; calls: number }[]>`
        SELECT t.trunk, count(*)::int AS calls FROM (
          SELECT DISTINCT ON (a.call_id) a.trunk FROM calls c JOIN call_attempts a ON a.call_id = c.id
          WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL ORDER BY a.call_id, a.number DESC
        ) t GROUP BY t.trunk`;
      return new Map(rows.map(({ trunk, calls }) => [trunk, calls]));
    },
    schedule: () => readScheduleFigures(database),
    credentials: (limit) => readOperatedCredentials(database, limit),
    accountNames: (ids) => readAccountNames(database, ids),
  };
}
