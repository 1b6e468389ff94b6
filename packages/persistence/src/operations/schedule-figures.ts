import type { AccountId, CampaignState } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** Scheduled calls of an account, or of the platform. */
export interface ScheduledCounts {
  readonly scheduled: number;
  /** Their time has come: those that wait for a slot or for funds, too. */
  readonly due: number;
  /** Due for more than five seconds. */
  readonly late: number;
  /** Null: none is due. */
  readonly oldestDueMs: number | null;
}

export interface ScheduleFigures extends ScheduledCounts {
  /** The accounts with the most calls that are late, then due, then scheduled. */
  readonly accounts: readonly (ScheduledCounts & { readonly accountId: AccountId; readonly name: string })[];
  /** Of campaigns that are neither drafts nor over. */
  readonly campaigns: readonly { readonly state: CampaignState; readonly campaigns: number }[];
}

const MOST_ACCOUNTS = 10;

/** Reads every scheduled call in the index of lanes: not more often than each ten seconds. */
export async function readScheduleFigures({ side }: Database): Promise<ScheduleFigures> {
  const [row] = await side.$queryRaw<ScheduleFigures[]>`
    WITH counted AS MATERIALIZED (
      SELECT s.account_id, count(*)::int AS scheduled,
        (count(*) FILTER (WHERE s.due_at <= now()))::int AS due,
        (count(*) FILTER (WHERE s.due_at <= now() - interval '5 seconds'))::int AS late,
        epoch_ms(min(s.due_at) FILTER (WHERE s.due_at <= now())) AS oldest
      FROM call_schedules s WHERE s.is_waiting GROUP BY s.account_id
    )
    SELECT COALESCE(sum(k.scheduled), 0)::int AS scheduled, COALESCE(sum(k.due), 0)::int AS due,
      COALESCE(sum(k.late), 0)::int AS late, min(k.oldest) AS "oldestDueMs",
      (SELECT COALESCE(json_agg(x), '[]') FROM (
         SELECT c.account_id AS "accountId", a.name, c.scheduled, c.due, c.late, c.oldest AS "oldestDueMs"
         FROM counted c JOIN accounts a ON a.id = c.account_id
         ORDER BY c.late DESC, c.due DESC, c.scheduled DESC, c.account_id LIMIT ${MOST_ACCOUNTS}::int
       ) x) AS accounts,
      (SELECT COALESCE(json_agg(json_build_object('state', g.state, 'campaigns', g.campaigns)), '[]') FROM (
         SELECT y.state, count(*)::int AS campaigns FROM campaigns y
         WHERE y.state <> 'draft' AND y.ended_at IS NULL GROUP BY y.state ORDER BY y.state
       ) g) AS campaigns
    FROM counted k`;
  return row ?? { scheduled: 0, due: 0, late: 0, oldestDueMs: null, accounts: [], campaigns: [] };
}
