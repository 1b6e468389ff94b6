import { micros, type AccountId, type Micros } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

export interface DayOfSpend {
  /** UTC: `2026-11-20`. */
  readonly date: string;
  readonly costMicros: Micros;
  /** Those that ended on that day. */
  readonly calls: number;
}

type DayRow = Omit<DayOfSpend, 'costMicros'> & { readonly costMicros: bigint };

/**
 * Out of the ledger, which is what was really paid: each call has one charge there, from the moment that it ended. The
 * index holds all that it needs: a million calls in those days are read without touching a row of the table.
 */
export function spendStatement(accountId: AccountId): Prisma.Sql {
  return Prisma.sql`
    WITH today AS (SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date AS date),
    spent AS (
      SELECT (e.created_at AT TIME ZONE 'UTC')::date AS date, -sum(e.amount_micros)::bigint AS micros, count(*)::int AS calls
      FROM ledger_entries e
      WHERE e.account_id = ${accountId}::uuid AND e.kind = 'call_charge'
        AND e.created_at >= (SELECT (t.date - 29)::timestamp AT TIME ZONE 'UTC' FROM today t)
      GROUP BY 1
    )
    SELECT to_char(d.date, 'YYYY-MM-DD') AS date, COALESCE(s.micros, 0)::bigint AS "costMicros", COALESCE(s.calls, 0) AS calls
    FROM today t, LATERAL (SELECT t.date - n AS date FROM generate_series(0, 29) AS n) d
    LEFT JOIN spent s ON s.date = d.date ORDER BY d.date`;
}

export async function readSpend({ side }: Database, accountId: AccountId): Promise<readonly DayOfSpend[]> {
  const rows = await side.$queryRaw<DayRow[]>(spendStatement(accountId));
  return rows.map((row) => ({ ...row, costMicros: micros(row.costMicros) }));
}
