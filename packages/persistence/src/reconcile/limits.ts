import type { AccountLimits } from '@outdial/calls';
import { micros, type AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';

interface LimitsRow {
  readonly accountId: AccountId;
  readonly balanceMicros: bigint;
  readonly balanceVersion: bigint;
  readonly capacity: number;
  readonly capacityVersion: bigint;
}

function toLimits(row: LimitsRow): AccountLimits {
  return {
    accountId: row.accountId,
    balanceMicros: micros(row.balanceMicros),
    balanceVersion: Number(row.balanceVersion),
    capacity: row.capacity,
    capacityVersion: Number(row.capacityVersion),
  };
}

/** Omits accounts that do not exist. */
export async function limitsOf(
  { side }: Database,
  accountIds: readonly AccountId[],
): Promise<readonly AccountLimits[]> {
  const rows = await side.$queryRaw<LimitsRow[]>`
    SELECT a.id AS "accountId", w.balance_micros AS "balanceMicros", w.version AS "balanceVersion",
           a.capacity, a.capacity_version AS "capacityVersion"
    FROM accounts a JOIN wallets w ON w.account_id = a.id
    WHERE a.id = ANY(${[...accountIds]}::uuid[])`;
  return rows.map(toLimits);
}
