import { CALL_STATUSES } from '@outdial/contracts';
import type { Stack } from '../stack/stack.ts';

/** A call's timeline only moves forward, with each state once, whatever carriers and clients repeat. */
export async function stateViolations(stack: Pick<Stack, 'sql'>): Promise<readonly string[]> {
  const broken = await stack.sql<{ what: string }>(`
    WITH ranked AS (
      SELECT call_id, id, array_position(ARRAY['${CALL_STATUSES.join("', '")}'], type) AS rank
      FROM call_events
    ), stepped AS (
      SELECT call_id, rank, lag(rank) OVER (PARTITION BY call_id ORDER BY id) AS before
      FROM ranked WHERE rank IS NOT NULL
    )
    SELECT call_id::text || ' from state ' || before || ' to ' || rank AS what FROM stepped WHERE rank <= before`);
  return broken.map(({ what }) => `a call did not move forward: ${what}`);
}
