import { Prisma } from '../generated/client.ts';

/**
 * The CTE that stores the turns of the calls of `timed`, a CTE of calls that are locked and still the writer's. A
 * statement without turns leaves it out. A turn that is stored stays as it is. The end of the call deletes them
 * (`note-ended-call.sql`); after it no call is the writer's.
 */
export function keepTurns(): Prisma.Sql {
  return Prisma.sql`, spoken AS (
      INSERT INTO call_turns (call_id, index, turn)
      SELECT h.id, (t->>'index')::int, t FROM timed h JOIN input i ON i.id = h.id, jsonb_array_elements(i.turns) t
      ORDER BY 1, 2
      ON CONFLICT DO NOTHING
    )`;
}

/** The turns of a call `c` that has not ended; null without any. */
export const TURNS_COLUMN = Prisma.sql`(SELECT jsonb_agg(t.turn ORDER BY t.index) FROM call_turns t WHERE t.call_id = c.id) AS turns`;
