import { micros } from '@outdial/contracts';
import type { Database } from '../database.ts';
import type { TryRecord, TryStore } from './try-store.ts';

type TryRow = Omit<TryRecord, 'costMicros'> & { readonly costMicros: bigint };

/** Null: the account has no such try of this agent. */
export async function findTry(
  { side }: Pick<Database, 'side'>,
  { accountId, agentId, tryId }: Parameters<TryStore['find']>[0],
): Promise<TryRecord | null> {
  const [row] = await side.$queryRaw<TryRow[]>`
    SELECT id AS "tryId", agent_id AS "agentId", agent_version AS "agentVersion", medium,
      user_id AS "userId", claims > 0 AS "isClaimed", ended_reason AS "endedReason", cost_micros AS "costMicros", epoch_ms(created_at) AS "createdAtMs",
      epoch_ms(expires_at) AS "expiresAtMs"
    FROM agent_tries
    WHERE id = ${tryId}::uuid AND account_id = ${accountId}::uuid AND agent_id = ${agentId}::uuid
      AND NOT EXISTS (SELECT FROM evaluation_runs r WHERE r.try_id = agent_tries.id)`;
  return row ? { ...row, costMicros: micros(row.costMicros) } : null;
}
