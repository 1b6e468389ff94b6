import { Prisma } from '../generated/client.ts';

/**
 * What calling policies make the next contact of a running campaign `g` wait for; null: it does not. A turn notes what holds the
 * calls that it tries. Once all contacts have a call, and each call waits for its time, no turn tries any.
 */
const NEXT_WAITS_FOR = Prisma.sql`
  (SELECT w.waiting_for FROM (
     SELECT s.waiting_for, s.due_at FROM call_schedules s
     WHERE s.account_id = g.account_id AND COALESCE(s.campaign_id, s.account_id) = g.id AND s.is_waiting
     ORDER BY s.due_at LIMIT 1) w
   WHERE g.state = 'running' AND w.waiting_for IN ('window', 'cap') AND w.due_at > clock_timestamp()
     AND n.passed >= g.contact_count)`;

/** Of a campaign `g`. Each count reads an index: counts are few, open calls have their own. */
export const CAMPAIGN_COLUMNS = Prisma.sql`
  g.id, g.account_id AS "accountId", g.state, g.name, g.agent_id AS "agentId", g.agent_version AS "agentVersion",
  g.caller_number AS "callerNumber", g.columns, g.default_country AS "defaultCountry", g.retry,
  g.calls_per_second::double precision AS "callsPerSecond", g.max_concurrent AS "maxConcurrent", g.weight, g.window,
  epoch_ms(g.starts_at) AS "startsAtMs", epoch_ms(g.ends_at) AS "endsAtMs", g.budget_micros AS "budgetMicros",
  g.max_duration_seconds AS "maxDurationSeconds", g.ring_timeout_seconds AS "ringTimeoutSeconds",
  g.webhook_url AS "webhookUrl", g.metadata, g.created_by AS "createdBy", epoch_ms(g.created_at) AS "createdAtMs",
  epoch_ms(g.started_at) AS "startedAtMs", epoch_ms(g.ended_at) AS "endedAtMs",
  g.contact_count AS contacts, n.passed, COALESCE(n.held_by, ${NEXT_WAITS_FOR}) AS "heldBy",
  n.last_minute AS "callsLastMinute", n.per_minute AS "callsPerMinute",
  (SELECT count(*)::int FROM calls c
   WHERE c.campaign_id = g.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL) AS open,
  (SELECT COALESCE(jsonb_agg(jsonb_build_object('reason', k.reason, 'isFinal', k.is_final, 'calls', k.calls,
     'answered', k.answered, 'costMicros', k.cost_micros)), '[]')
   FROM (SELECT x.reason, x.is_final, sum(x.calls)::int AS calls, sum(x.answered)::int AS answered,
       sum(x.cost_micros)::bigint AS cost_micros
     FROM campaign_counts x WHERE x.campaign_id = g.id GROUP BY x.reason, x.is_final ORDER BY x.reason, x.is_final) k)
    AS "byReason"`;

export const CAMPAIGNS = Prisma.sql`campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id`;
