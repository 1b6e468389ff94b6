-- Makes scheduled calls of a campaign's next contacts, and moves its cursor past them. For the settings, see
-- ../accept/accept-calls.sql. Only the account's turn does it, and only while the campaign runs: it locks the campaign first, so
-- that a pause, an end or another turn's stock comes before it or after it.
--
-- A call has the rate and the place of its callee once it is admitted. Its campaign's end is asked of the campaign, which may move it. A contact is passed once: an id is derived from it, and the
-- unique contact of an attempt refuses another call.
-- The contacts are in a subquery: joined to its row, the cursor would filter them, and each one before it would be read.
CREATE OR REPLACE FUNCTION stock_campaign(account uuid, turn bigint, campaign uuid, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
  stocked int;
BEGIN
  PERFORM FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.state = 'running'
    AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp()) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM FROM dial_turns t
  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN 0; END IF;
  moment := clock_timestamp();
  WITH next AS MATERIALIZED (
    SELECT t.*, contact_call_id(t.campaign_id, t.upload, t.line) AS call_id
    FROM campaign_lanes n, LATERAL (
      SELECT c.* FROM campaign_contacts c
      WHERE c.campaign_id = campaign AND (c.upload, c.line) > (n.cursor_upload, n.cursor_line)
        -- For the uploads, see lanes_of. They are asked again, one by one: nothing of a failed one is ever called.
        AND (SELECT u.state FROM campaign_uploads u WHERE u.campaign_id = c.campaign_id AND u.number = c.upload) = 'ready'
        AND c.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = campaign AND r.state = 'ready')
      ORDER BY c.upload, c.line LIMIT most) t
    WHERE n.campaign_id = campaign
  ), moved AS (
    UPDATE campaign_lanes n SET cursor_upload = x.upload, cursor_line = x.line, passed = n.passed + x.contacts
    FROM (SELECT upload, line, count(*) OVER ()::int AS contacts FROM next ORDER BY upload DESC, line DESC LIMIT 1) x WHERE n.campaign_id = campaign
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
      max_duration_seconds, ring_timeout_seconds, variables, metadata, request_id, created_at, expires_at, webhook_url,
      callee_time_zone, campaign_id)
    SELECT t.call_id, account, g.agent_id, g.agent_version, g.caller_number, '+' || t.number, 'scheduled', a.currency, '',
      0, 0, 1, 1, 0, g.max_duration_seconds, g.ring_timeout_seconds, t.variables, t.metadata, 'campaign ' || campaign,
      moment, moment + interval '90 days', g.webhook_url, t.time_zone, campaign
    FROM next t, campaigns g JOIN accounts a ON a.id = g.account_id WHERE g.id = campaign ORDER BY t.call_id
    ON CONFLICT DO NOTHING
    RETURNING calls.id, calls.expires_at
  ), planned AS (
    INSERT INTO call_schedules (call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, queue_ttl_seconds,
      retry, campaign_id, contact_upload, contact_line)
    SELECT i.id, account, moment, i.expires_at, moment, true, 600, g.retry, campaign, t.upload, t.line
    FROM inserted i JOIN next t ON t.call_id = i.id, campaigns g WHERE g.id = campaign ORDER BY i.id
    RETURNING call_schedules.call_id
  ), events AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT p.call_id, moment, 'scheduled', jsonb_build_object('scheduled_for', iso_ms(moment)) FROM planned p ORDER BY p.call_id
  )
  SELECT count(*)::int INTO stocked FROM planned;
  RETURN stocked;
END $$;
