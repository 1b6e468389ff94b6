import type { Stack } from '../stack/stack.ts';

/** What must hold for campaigns at every moment, in separate SQL. */
const ALWAYS: readonly (readonly [rule: string, sql: string])[] = [
  [
    'a campaign has more open calls than it may',
    `SELECT g.id::text AS what FROM campaigns g
     WHERE g.max_concurrent < (SELECT count(*) FROM calls c
       WHERE c.campaign_id = g.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)`,
  ],
  [
    'a campaign costs and holds more than its budget',
    `SELECT g.id::text AS what FROM campaigns g
     WHERE g.budget_micros < (SELECT COALESCE(sum(CASE WHEN c.ended_at IS NULL THEN c.hold_micros ELSE c.cost_micros END), 0)
       FROM calls c WHERE c.campaign_id = g.id)`,
  ],
  [
    'a contact has two open calls',
    `SELECT s.campaign_id || ' ' || s.contact_upload || '.' || s.contact_line AS what
     FROM call_schedules s JOIN calls c ON c.id = s.call_id WHERE s.campaign_id IS NOT NULL AND c.ended_at IS NULL
     GROUP BY s.campaign_id, s.contact_upload, s.contact_line HAVING count(*) > 1`,
  ],
  [
    'a contact of an upload that is not ready has a call',
    `SELECT s.call_id::text AS what FROM call_schedules s JOIN campaigns g ON g.id = s.campaign_id AND g.deleted_at IS NULL
       LEFT JOIN campaign_uploads u ON u.campaign_id = s.campaign_id AND u.number = s.contact_upload AND u.state = 'ready'
     WHERE u.number IS NULL`,
  ],
  [
    'a campaign has another number of contacts than it says',
    `SELECT g.id::text AS what FROM campaigns g
     WHERE g.deleted_at IS NULL AND g.contact_count <> (SELECT count(*) FROM campaign_contacts t JOIN campaign_uploads u
       ON u.campaign_id = t.campaign_id AND u.number = t.upload AND u.state = 'ready' WHERE t.campaign_id = g.id)`,
  ],
  [
    'the counts of a campaign are not those of its calls',
    `SELECT g.id::text AS what FROM campaigns g
     WHERE (SELECT (COALESCE(sum(k.calls), 0), COALESCE(sum(k.cost_micros), 0), COALESCE(sum(k.answered), 0))
            FROM campaign_counts k WHERE k.campaign_id = g.id)
       <> (SELECT (count(*), COALESCE(sum(c.cost_micros), 0), count(c.answered_at))
           FROM calls c WHERE c.campaign_id = g.id AND c.ended_at IS NOT NULL)`,
  ],
];

const AT_REST: readonly (readonly [rule: string, sql: string])[] = [
  [
    'a completed campaign has not called each contact',
    `SELECT g.id::text AS what FROM campaigns g
     WHERE g.state = 'completed' AND g.deleted_at IS NULL AND (g.ends_at IS NULL OR g.ends_at > g.ended_at)
       AND (SELECT count(*) FROM campaign_contacts t JOIN campaign_uploads u
              ON u.campaign_id = t.campaign_id AND u.number = t.upload AND u.state = 'ready' WHERE t.campaign_id = g.id)
         <> (SELECT count(*) FROM call_schedules s WHERE s.campaign_id = g.id AND s.attempt = 1)`,
  ],
  [
    'a campaign has ended and has a scheduled call',
    `SELECT s.call_id::text AS what FROM call_schedules s JOIN campaigns g ON g.id = s.campaign_id
     WHERE g.ended_at IS NOT NULL AND s.is_waiting`,
  ],
  [
    'a campaign is canceled and does not come to its end',
    `SELECT g.id::text AS what FROM campaigns g WHERE g.state = 'cancelling'`,
  ],
  [
    'a campaign without work still runs',
    `SELECT g.id::text AS what FROM campaigns g
     WHERE g.state = 'running' AND NOT EXISTS (SELECT FROM calls c WHERE c.campaign_id = g.id AND c.ended_at IS NULL)`,
  ],
];

type Sql = Pick<Stack, 'sql'>;

/** Bounds, contacts and counts of campaigns, in one snapshot. */
export function campaignViolations(stack: Sql): Promise<readonly string[]> {
  return broken(stack, ALWAYS);
}

/** At rest also: each contact of a completed campaign was called. */
export function campaignViolationsAtRest(stack: Sql): Promise<readonly string[]> {
  return broken(stack, [...ALWAYS, ...AT_REST]);
}

async function broken({ sql }: Sql, rules: typeof ALWAYS): Promise<readonly string[]> {
  const parts = rules.map(([, text], index) => `SELECT ${index} AS rule, what FROM (${text}) AS broken_${index}`);
  const found = await sql<{ rule: number; what: string }>(parts.join(' UNION ALL '));
  return found.map(({ rule, what }) => `${rules[rule]?.[0]}: ${what}`);
}
