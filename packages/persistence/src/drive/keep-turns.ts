import { Prisma } from '../generated/client.ts';

/**
 * The CTE that stores the turns of the calls of `timed`, a CTE of calls that are locked and still the writer's. A
 * statement without turns leaves it out. A turn that is stored stays as it is.
 */
export function keepTurns(): Prisma.Sql {
  return Prisma.sql`, spoken AS (
      INSERT INTO call_turns (call_id, index, turn)
      SELECT h.id, (t->>'index')::int, t FROM timed h JOIN input i ON i.id = h.id, jsonb_array_elements(i.turns) t
      ORDER BY 1, 2
      ON CONFLICT DO NOTHING
    )`;
}

/** The CTE that removes the turns of calls that end: their transcript takes the place. */
export function dropTurns(): Prisma.Sql {
  return Prisma.sql`, silent AS (DELETE FROM call_turns t USING ended e WHERE t.call_id = e.id)`;
}

/** The turns of a call `c` that has not ended; null without any. */
export const TURNS_COLUMN = Prisma.sql`(SELECT jsonb_agg(t.turn ORDER BY t.index) FROM call_turns t WHERE t.call_id = c.id) AS turns`;
