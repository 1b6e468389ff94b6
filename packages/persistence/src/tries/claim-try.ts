import { randomUUID } from 'node:crypto';
import { micros } from '@outdial/contracts';
import { readPinned, type PinnedRow } from '../analyses/read-pinned.ts';
import type { Database } from '../database.ts';
import { readSettings } from '../stored-settings.ts';
import type { ClaimTryOutcome, TryJob, TryStore } from './try-store.ts';

interface JobRow extends Omit<TryJob, 'settings' | 'holdMicros' | 'costMicros' | keyof PinnedRow>, PinnedRow {
  readonly settings: unknown;
  readonly holdMicros: bigint;
  readonly costMicros: bigint;
}

/** One compare-and-set: an open try without a lease, or with one that is over, gets a lease. */
export async function claimTry(
  { side }: Pick<Database, 'side'>,
  { tryId, leaseMs }: Parameters<TryStore['claim']>[0],
): Promise<ClaimTryOutcome> {
  const [row] = await side.$queryRaw<JobRow[]>`
    WITH claimed AS (
      UPDATE agent_tries SET lease = ${randomUUID()}::uuid, claims = claims + 1,
        lease_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'
      WHERE id = ${tryId}::uuid AND ended_at IS NULL AND (lease_until IS NULL OR lease_until <= clock_timestamp())
      RETURNING *
    )
    SELECT t.id AS "tryId", t.account_id AS "accountId", t.medium, t.lease::text AS lease, t.claims, v.settings, t.variables,
      t.needs AS models, t.rates, t.hold_micros AS "holdMicros", t.reservation_id AS "reservationId", t.usage,
      t.cost_micros AS "costMicros",
      (EXTRACT(epoch FROM t.expires_at - clock_timestamp()) * 1000)::double precision AS "remainingMs"
    FROM claimed t JOIN agent_versions v ON v.agent_id = t.agent_id AND v.version = t.agent_version`;
  if (row) return { kind: 'claimed', job: toJob(row) };
  const [leased] = await side.$queryRaw<{ forMs: number }[]>`
    SELECT GREATEST(1, CEIL(EXTRACT(epoch FROM lease_until - clock_timestamp()) * 1000))::double precision AS "forMs"
    FROM agent_tries WHERE id = ${tryId}::uuid AND ended_at IS NULL AND lease_until IS NOT NULL`;
  return leased ? { kind: 'leased', forMs: leased.forMs } : { kind: 'over' };
}

function toJob(row: JobRow): TryJob {
  return {
    ...row,
    ...readPinned(row),
    settings: readSettings(row.settings),
    holdMicros: micros(row.holdMicros),
    costMicros: micros(row.costMicros),
  };
}
