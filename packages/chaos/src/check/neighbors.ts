import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';

interface NeighborRow {
  readonly id: string;
  readonly reason: string | null;
  readonly waitedMs: number | null;
}

export interface Neighborhood {
  readonly violations: readonly string[];
  /** The longest time from the accept to the dial. */
  readonly longestWaitMs: number;
}

/**
 * One tenant never harms another: each call of the neighbor was dialed, and ended as its own callee wanted,
 * whatever the other accounts dialed.
 */
export async function neighborhoodOf(
  stack: Pick<Stack, 'sql'>,
  neighbor: Account,
  usualReason: string,
): Promise<Neighborhood> {
  const calls = await stack.sql<NeighborRow>(
    `SELECT id::text, ended_reason::text AS reason,
       (extract(epoch FROM started_at - created_at) * 1000)::float8 AS "waitedMs"
     FROM calls WHERE account_id = $1`,
    [neighbor.id],
  );
  const harmed = calls.filter(({ reason }) => reason !== usualReason);
  return {
    violations: harmed.map(({ id, reason }) => `a neighbor’s call ended ${reason} instead of ${usualReason}: ${id}`),
    longestWaitMs: Math.max(0, ...calls.map(({ waitedMs }) => waitedMs ?? 0)),
  };
}
