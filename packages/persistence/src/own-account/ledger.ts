import { micros, type AccountId, type E164 } from '@outdial/contracts';
import type { LedgerRecord } from '../administration/wallets.ts';
import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** The end of a page, with the balance before its last entry. */
export interface LedgerPosition {
  readonly id: string;
  readonly balanceMicros: bigint;
}

export interface OwnLedgerRecord extends Omit<LedgerRecord, 'idempotencyKey'> {
  readonly balanceAfterMicros: bigint;
  /** Of the agent that was tried; null for everything else. */
  readonly agentName: string | null;
  /** The call's number; null for a top-up. */
  readonly calleeNumber: E164 | null;
  readonly billableSeconds: number | null;
}

interface LedgerInput {
  readonly accountId: AccountId;
  readonly before?: LedgerPosition;
  readonly limit: number;
}

type LedgerRow = Omit<OwnLedgerRecord, 'id' | 'amountMicros'> & { readonly id: bigint; readonly amountMicros: bigint };

/** Entries with their calls, newest first. The balance after the first is the wallet's, or that of the previous page. */
export async function readOwnLedger(
  { side }: Database,
  { accountId, before, limit }: LedgerInput,
): Promise<readonly OwnLedgerRecord[]> {
  const older = before === undefined ? Prisma.empty : Prisma.sql`AND e.id < ${before.id}::bigint`;
  const rows = await side.$queryRaw<LedgerRow[]>`
    WITH page AS (
      SELECT e.id, e.kind, e.amount_micros, e.call_id, e.try_id, e.created_at FROM ledger_entries e
      WHERE e.account_id = ${accountId}::uuid ${older} ORDER BY e.id DESC LIMIT ${limit}::int
    )
    SELECT p.id, p.kind, p.amount_micros AS "amountMicros", p.call_id AS "callId", epoch_ms(p.created_at) AS "createdAtMs",
      (SELECT v.settings ->> 'name' FROM agent_tries t
         JOIN agent_versions v ON v.agent_id = t.agent_id AND v.version = t.agent_version
       WHERE t.id = p.try_id) AS "agentName",
      c.callee_number AS "calleeNumber", c.billable_seconds AS "billableSeconds",
      (COALESCE(${before?.balanceMicros ?? null}::bigint, w.balance_micros) - COALESCE(sum(p.amount_micros) OVER (
        ORDER BY p.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0))::bigint AS "balanceAfterMicros"
    FROM page p JOIN wallets w ON w.account_id = ${accountId}::uuid LEFT JOIN calls c ON c.id = p.call_id
    ORDER BY p.id DESC`;
  return rows.map((row) => ({ ...row, id: row.id.toString(), amountMicros: micros(row.amountMicros) }));
}
