import { e164Schema, type AccountId } from '@outdial/contracts';
import type { Database } from '../src/database.ts';
import { openOwnAccount, type OwnAccountInput } from '../src/own-account/own-account.ts';
import type { OwnSuppressions } from '../src/own-account/own-suppressions.ts';

const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };

/** The list of an account, as its owner Kim sees it. */
export function listOf(
  database: Database,
  accountId: AccountId,
  options: Pick<OwnAccountInput, 'onCommitted'> = {},
): OwnSuppressions {
  return openOwnAccount(database, { accountId, actor: 'user:kim', bounds: BOUNDS, ...options }).suppressions;
}

/** `count` numbers from +12025551000 on. */
export const numbersFrom = (count: number, first = 12_025_551_000) =>
  Array.from({ length: count }, (_, at) => e164Schema.parse(`+${first + at}`));

/** How many manual entries the account has: as counted by the bound, and as stored. */
export async function countsOf({ side }: Database, accountId: AccountId) {
  const [row] = await side.$queryRaw<{ counted: number; stored: number }[]>`
    SELECT COALESCE((SELECT c.manual FROM suppression_counts c WHERE c.account_id = ${accountId}::uuid), 0) AS counted,
      (SELECT count(*)::int FROM suppressions s
       WHERE s.account_id = ${accountId}::uuid AND s.kind = 'manual' AND s.removed_at IS NULL) AS stored`;
  return row;
}
