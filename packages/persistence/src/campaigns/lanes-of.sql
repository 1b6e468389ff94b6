-- What the turns of these accounts may admit, by lane: single calls (no campaign), and each running campaign. Slots are those that
-- neither an open call nor a call of an earlier turn takes; of them, campaigns may have one at least. Due calls are counted up to
-- 200, and contacts without a call as far as a turn may stock them: 20 campaigns of an account delay no other account's turn. Up to the last
-- upload that is ready all contacts are those of ready ones, since none begins beside another, or beside what a failed one has left: so
-- neither a file that is being received is read, nor thousands of small uploads.
--
-- The moment is a variable: compared with a function that is asked for every row, no index would serve.
CREATE OR REPLACE FUNCTION lanes_of(accounts uuid[])
RETURNS TABLE (account_id uuid, campaign_id uuid, agent_id uuid, agent_version int, free_slots int, campaign_slots int, due_calls int, queue_ttl_seconds int,
  contacts_left int, open_calls int, queued_calls int, admitting_calls int, max_concurrent int, weight int, deficit double precision,
  pace_calls int, calls_per_second double precision, budget_left_micros bigint, calling_window jsonb)
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
  WITH held AS MATERIALIZED (
    SELECT c.account_id, c.campaign_id, count(*)::int AS calls,
      count(*) FILTER (WHERE c.status = 'queued')::int AS queued, sum(c.hold_micros + CASE WHEN c.campaign_id IS NULL THEN 0 ELSE transfer_hold_of(c.id) END)::bigint AS hold_micros
    FROM calls c WHERE c.account_id = ANY (accounts) AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL
    GROUP BY c.account_id, c.campaign_id
  ), admitting AS MATERIALIZED (
    SELECT s.account_id, s.campaign_id, count(*)::int AS calls
    FROM call_schedules s WHERE s.account_id = ANY (accounts) AND s.admitting_until > moment - interval '2 seconds'
    GROUP BY s.account_id, s.campaign_id
  ), used AS MATERIALIZED (
    SELECT u.account_id, sum(u.calls)::int AS calls, COALESCE(sum(u.calls) FILTER (WHERE u.campaign_id IS NOT NULL), 0)::int AS of_campaigns
    FROM (SELECT h.account_id, h.campaign_id, h.calls FROM held h UNION ALL SELECT m.account_id, m.campaign_id, m.calls FROM admitting m) u
    GROUP BY u.account_id
  ), slots AS MATERIALIZED (
    SELECT a.id AS account_id, a.capacity - COALESCE(u.calls, 0) AS free,
      GREATEST(1, a.capacity * a.campaign_percent / 100) - COALESCE(u.of_campaigns, 0) AS of_campaigns
    FROM accounts a LEFT JOIN used u ON u.account_id = a.id WHERE a.id = ANY (accounts)
  ), lanes AS (
    SELECT s.account_id, NULL::uuid AS campaign_id FROM slots s
    UNION ALL
    SELECT g.account_id, g.id FROM campaigns g WHERE g.account_id = ANY (accounts) AND g.state = 'running'
  )
  SELECT l.account_id, l.campaign_id, g.agent_id, g.agent_version, s.free, s.of_campaigns, d.calls, COALESCE(d.queue_ttl_seconds, 0),
    COALESCE(k.contacts, 0), COALESCE(h.calls, 0), COALESCE(h.queued, 0), COALESCE(m.calls, 0), g.max_concurrent,
    COALESCE(g.weight, 0), COALESCE(n.deficit, 0),
    -- As in take_lane_calls, which asks again. Without a pace it is null: LEAST and GREATEST would skip the nulls.
    CASE WHEN g.calls_per_second IS NOT NULL THEN floor(LEAST(GREATEST(g.calls_per_second, 1), n.pace_tokens
      + g.calls_per_second::double precision * GREATEST(0, EXTRACT(epoch FROM moment - n.pace_at))))::int END,
    g.calls_per_second::double precision,
    g.budget_micros - COALESCE(h.hold_micros, 0)
      - COALESCE((SELECT sum(x.cost_micros) FROM campaign_counts x WHERE x.campaign_id = l.campaign_id), 0)::bigint,
    g.window
  FROM lanes l
    JOIN slots s ON s.account_id = l.account_id
    LEFT JOIN campaigns g ON g.id = l.campaign_id
    LEFT JOIN campaign_lanes n ON n.campaign_id = l.campaign_id
    LEFT JOIN held h ON h.account_id = l.account_id AND h.campaign_id IS NOT DISTINCT FROM l.campaign_id
    LEFT JOIN admitting m ON m.account_id = l.account_id AND m.campaign_id IS NOT DISTINCT FROM l.campaign_id,
    LATERAL (
      SELECT count(*)::int AS calls, min(x.queue_ttl_seconds) AS queue_ttl_seconds FROM (
        SELECT w.queue_ttl_seconds FROM call_schedules w
        WHERE w.account_id = l.account_id AND COALESCE(w.campaign_id, w.account_id) = COALESCE(l.campaign_id, l.account_id)
          AND w.is_waiting
          AND w.due_at <= moment AND w.give_up_at > moment
          AND (w.admitting_until IS NULL OR w.admitting_until <= moment - interval '2 seconds')
        ORDER BY w.due_at LIMIT 200) x
    ) d,
    LATERAL (
      SELECT count(*)::int AS contacts FROM (
        SELECT FROM campaign_contacts t
        WHERE t.campaign_id = l.campaign_id AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line)
          AND t.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = l.campaign_id AND r.state = 'ready')
        ORDER BY t.upload, t.line LIMIT GREATEST(1, 400 - d.calls)) y
    ) k
  ORDER BY l.account_id, l.campaign_id NULLS FIRST;
END $$;
