import type { TryId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { IS_STALE, LOCKED_TOKEN } from '../drive/claim.ts';
import type { TryStore } from './try-store.ts';

type Side = Pick<Database, 'side'>;
type LinesOutcome = Awaited<ReturnType<TryStore['writeLines']>>;

export async function writeLines(
  { side }: Side,
  { tryId, lease, lines, token: { generation, walTimeline } }: Parameters<TryStore['writeLines']>[0],
): Promise<LinesOutcome> {
  const [answer] = await side.$queryRaw<{ outcome: LinesOutcome }[]>`
    WITH gate_now AS MATERIALIZED (
      ${LOCKED_TOKEN}
    ), judged AS MATERIALIZED (
      SELECT ${IS_STALE} AS is_stale FROM (VALUES (${generation}::bigint, ${walTimeline}::text)) AS j(generation, timeline)
    ), written AS (
      UPDATE agent_tries t SET lines = ${JSON.stringify(lines)}::jsonb FROM judged j
      WHERE t.id = ${tryId}::uuid AND t.lease = ${lease}::uuid AND t.ended_at IS NULL AND NOT j.is_stale
      RETURNING t.id
    )
    SELECT CASE WHEN j.is_stale THEN 'gate_stale' WHEN w.id IS NULL THEN 'fenced' ELSE 'written' END AS outcome
    FROM judged j LEFT JOIN written w ON true`;
  return answer?.outcome ?? 'fenced';
}

export async function renewTry(
  { side }: Side,
  { tryId, lease, leaseMs, usage, costMicros }: Parameters<TryStore['renew']>[0],
): Promise<'written' | 'fenced'> {
  const written = await side.$executeRaw`
    UPDATE agent_tries SET lease_until = clock_timestamp() + ${leaseMs}::int * interval '1 millisecond',
      usage = ${JSON.stringify(usage)}::jsonb, cost_micros = ${costMicros}::bigint
    WHERE id = ${tryId}::uuid AND lease = ${lease}::uuid AND ended_at IS NULL`;
  return written === 1 ? 'written' : 'fenced';
}

export async function overdueTries(
  { side }: Side,
  { waitMs, limit }: Parameters<TryStore['overdue']>[0],
): Promise<readonly TryId[]> {
  const rows = await side.$queryRaw<{ tryId: TryId }[]>`
    SELECT id AS "tryId" FROM agent_tries
    WHERE ended_at IS NULL AND (lease_until <= clock_timestamp()
      OR (lease_until IS NULL AND created_at <= clock_timestamp() - ${waitMs}::int * interval '1 millisecond'))
    ORDER BY created_at LIMIT ${limit}::int`;
  return rows.map(({ tryId }) => tryId);
}
