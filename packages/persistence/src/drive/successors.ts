import { Prisma } from '../generated/client.ts';
import { sqlOnlyStatusIn, sqlReason } from '../sql/call-states.ts';

/**
 * Of `SETTLE_DUE`: the retries of the calls in `ended`, in the statement that ends them. So no call has two successors, and
 * none is lost between two statements. A scheduled call that ends leaves its lane here too.
 *
 * A call that is returned is called again in any case: after a minute where hours are closed, since those who admit it may take
 * them for open for as long as they know other rules. It is not one of the attempts that were asked for.
 *
 * Neither an end that was requested is retried, nor one after which the next attempt would come too late, nor one of a campaign
 * that is over: a cancellation that this statement's snapshot does not have is the sweep's.
 */
export const SUCCESSORS = Prisma.sql`
    left_lane AS (
      UPDATE call_schedules s SET is_waiting = false, waiting_for = NULL, admit_token = NULL, admitting_until = NULL
      FROM ended e WHERE s.call_id = e.id AND s.is_waiting
    ), retried AS MATERIALIZED (
      SELECT e.id AS retry_of, e.account_id, s.attempt + 1 AS attempt, s.given_back + e.gives_back::int AS given_back, s.retry, s.give_up_at, s.queue_ttl_seconds,
        (SELECT g.ends_at FROM campaigns g WHERE g.id = s.campaign_id) AS ends_at,
        s.campaign_id, s.contact_upload, s.contact_line,
        e.ended_at + make_interval(secs => CASE
          WHEN e.gives_back THEN CASE e.ended_reason WHEN ${sqlReason('outside_calling_window')} THEN 60 ELSE 0 END
          ELSE (s.retry->'after_seconds'->>(
            LEAST(s.attempt - s.given_back, jsonb_array_length(s.retry->'after_seconds')) - 1))::int END) AS scheduled_for
      FROM ended e JOIN call_schedules s ON s.call_id = e.id
      WHERE NOT e.is_requested AND (e.gives_back
          OR s.retry->'on' ? e.ended_reason::text AND s.attempt - s.given_back < (s.retry->>'max_attempts')::int)
        AND NOT EXISTS (
          SELECT FROM campaigns g WHERE g.id = s.campaign_id AND g.state IN ('cancelling', 'cancelled', 'completed'))
    ), next_attempts AS MATERIALIZED (
      SELECT successor_call_id(r.retry_of) AS id, r.* FROM retried r WHERE r.scheduled_for < LEAST(r.give_up_at, r.ends_at)
    ), successors AS (
      INSERT INTO calls (id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
        connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
        max_duration_seconds, ring_timeout_seconds, variables, metadata, request_id, created_at, expires_at, webhook_url,
        callee_zones, callee_regions, callee_time_zone, campaign_id)
      SELECT n.id, c.account_id, c.agent_id, c.agent_version, c.caller_number, c.callee_number,
        ${sqlOnlyStatusIn('planned')}::call_status, c.currency, c.rate_prefix, c.connection_fee_micros, c.price_per_minute_micros,
        c.initial_increment_seconds, c.increment_seconds, 0, c.max_duration_seconds, c.ring_timeout_seconds, c.variables,
        c.metadata, c.request_id, clock_timestamp(), n.give_up_at, c.webhook_url,
        c.callee_zones, c.callee_regions, c.callee_time_zone, c.campaign_id
      FROM next_attempts n JOIN calls c ON c.id = n.retry_of ORDER BY n.id
      ON CONFLICT DO NOTHING
      RETURNING calls.id, calls.created_at
    ), planned AS (
      INSERT INTO call_schedules (call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, waiting_for,
        queue_ttl_seconds, attempt, given_back, retry_of, retry, campaign_id, contact_upload, contact_line)
      SELECT x.id, n.account_id, n.scheduled_for, n.give_up_at, n.scheduled_for, true, 'time', n.queue_ttl_seconds, n.attempt,
        n.given_back, n.retry_of, n.retry, n.campaign_id, n.contact_upload, n.contact_line
      FROM successors x JOIN next_attempts n ON n.id = x.id ORDER BY x.id
      RETURNING call_schedules.account_id, call_schedules.due_at
    ), announced AS (
      INSERT INTO call_events (call_id, at, type, data)
      SELECT x.id, x.created_at, ${sqlOnlyStatusIn('planned')}, jsonb_build_object('scheduled_for', iso_ms(n.scheduled_for))
      FROM successors x JOIN next_attempts n ON n.id = x.id ORDER BY x.id
    )`;

/**
 * Counts the ended calls of campaigns, after wallets are paid and in the order of the keys. Each backend has its own rows, so
 * that settlements do not wait for each other.
 */
export const CAMPAIGN_COUNTS = Prisma.sql`
    counted AS (
      INSERT INTO campaign_counts AS k (campaign_id, reason, is_final, shard, calls, answered, talk_seconds, cost_micros)
      SELECT e.campaign_id, e.ended_reason, n.id IS NULL, pg_backend_pid() % 16, count(*)::int,
        count(e.answered_at)::int,
        COALESCE(sum(CEIL(EXTRACT(epoch FROM e.ended_at - e.answered_at))), 0)::bigint, sum(e.cost_micros)::bigint
      FROM ended e LEFT JOIN next_attempts n ON n.retry_of = e.id
      WHERE e.campaign_id IS NOT NULL AND (SELECT count(*) FROM paid) >= 0
      GROUP BY e.campaign_id, e.ended_reason, n.id IS NULL ORDER BY e.campaign_id, e.ended_reason, n.id IS NULL
      ON CONFLICT (campaign_id, reason, is_final, shard) DO UPDATE
        SET calls = k.calls + excluded.calls, answered = k.answered + excluded.answered,
            talk_seconds = k.talk_seconds + excluded.talk_seconds, cost_micros = k.cost_micros + excluded.cost_micros
      RETURNING 1
    )`;

/** Of contacts that are done: how their last call ended, so that a campaign can list them by it. */
export const CONTACT_OUTCOMES = Prisma.sql`
    outcomes AS (
      INSERT INTO campaign_outcomes (campaign_id, reason, upload, line)
      SELECT e.campaign_id, e.ended_reason, s.contact_upload, s.contact_line
      FROM ended e JOIN call_schedules s ON s.call_id = e.id LEFT JOIN next_attempts n ON n.retry_of = e.id
      WHERE e.campaign_id IS NOT NULL AND s.contact_line IS NOT NULL AND n.id IS NULL
      ORDER BY e.campaign_id, e.ended_reason, s.contact_upload, s.contact_line
      ON CONFLICT DO NOTHING
    )`;

/** The last part: turns are locked after wallets, in account order. */
export const SUCCESSORS_DUE = Prisma.sql`
    turns_due AS (
      SELECT p.account_id, min(p.due_at) AS at FROM planned p
      WHERE (SELECT count(*) FROM counted) >= 0 GROUP BY p.account_id ORDER BY p.account_id
    ), turns AS (
      INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
      SELECT d.account_id, d.at, d.at, '-infinity' FROM turns_due d
      ON CONFLICT (account_id) DO UPDATE
        SET due_at = LEAST(t.due_at, excluded.due_at), new_due = LEAST(t.new_due, excluded.due_at)
        WHERE t.due_at > excluded.due_at OR t.new_due > excluded.due_at
    )`;
