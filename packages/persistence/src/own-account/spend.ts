import { micros, type AccountId, type Micros } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

export interface DayOfSpend {
  /** UTC: `2026-11-20`. */
  readonly date: string;
  readonly costMicros: Micros;
  /** Calls that ended on that day. */
  readonly calls: number;
}

type DayRow = Omit<DayOfSpend, 'costMicros'> & { readonly costMicros: bigint };

/**
 * From the ledger, which has what was charged: each call has one charge there, written when it ended. The index covers
 * the query, and each day is a range of it: no table row is read, and none is sorted.
 */
export function spendStatement(accountId: AccountId): Prisma.Sql {
  return Prisma.sql`
    SELECT to_char(d.date, 'YYYY-MM-DD') AS date, s.micros AS "costMicros", s.calls
    FROM (SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date - n AS date FROM generate_series(0, 29) AS n) d, LATERAL (
      SELECT COALESCE(-sum(e.amount_micros), 0)::bigint AS micros, count(*)::int AS calls
      FROM ledger_entries e
      WHERE e.account_id = ${accountId}::uuid AND e.kind = 'call_charge'
        AND e.created_at >= d.date::timestamp AT TIME ZONE 'UTC'
        AND e.created_at < (d.date + 1)::timestamp AT TIME ZONE 'UTC'
    ) s
    ORDER BY d.date`;
}

export async function readSpend({ side }: Database, accountId: AccountId): Promise<readonly DayOfSpend[]> {
  const rows = await side.$queryRaw<DayRow[]>(spendStatement(accountId));
  return rows.map((row) => ({ ...row, costMicros: micros(row.costMicros) }));
}
