import type { TrunkConditions } from '@outdial/calls';
import type { Database } from '../database.ts';

/** Trunk health by worker. Reports of workers that are gone are deleted after an hour. */
export function createTrunkConditions({ side }: Database): TrunkConditions {
  return {
    async save(workerId, conditions) {
      // The join drops reports on trunks that were removed.
      await side.$executeRaw`
        WITH gone AS (DELETE FROM trunk_health WHERE told_at < now() - interval '1 hour')
        INSERT INTO trunk_health (trunk, worker_id, state, detail, told_at)
        SELECT t.name, ${workerId}, c.state, c.detail, now()
        FROM jsonb_to_recordset(${JSON.stringify(conditions)}::jsonb) AS c(trunk text, state text, detail text)
        JOIN trunks t ON t.name = c.trunk
        ON CONFLICT (trunk, worker_id) DO UPDATE
          SET state = excluded.state, detail = excluded.detail, told_at = excluded.told_at`;
    },
  };
}
