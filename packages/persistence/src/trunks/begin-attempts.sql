-- Stores which trunk a call goes to next, and its leg as it will be, before anything is sent to the trunk. Input:
-- [{id, epoch, number, carrier, trunk, dialog, generation, timeline}]. For the lock and the settings, see
-- ../accept/accept-calls.sql.
--
-- The gate has granted the channel. A channel that an earlier generation granted is rejected: the rebuild did not count
-- it. The new leg replaces the previous attempt's, by which an orphan's CANCEL would go to the wrong trunk. No attempt
-- begins while dialing is paused, for a number on a do-not-call list, outside the calling hours, or of a campaign that does not call
-- now: the answer is `paused` for each, and the worker asks by a claim which of them it is.
CREATE OR REPLACE FUNCTION begin_attempts(batch jsonb)
RETURNS TABLE (call_id uuid, outcome text, end_requested boolean)
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  moment := clock_timestamp();
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current,
      (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1) AS is_paused
    FROM jsonb_to_recordset(batch) AS r(
      id uuid, epoch int, number int, carrier text, trunk text, dialog jsonb, generation bigint, timeline text)
  ), locked AS MATERIALIZED (
    SELECT c.id, c.end_requested_at,
      i.is_paused OR EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number))
        OR EXISTS (
          SELECT FROM closed_windows_of(c.account_id, c.callee_zones, c.callee_regions, c.callee_time_zone, moment))
        OR c.campaign_id IS NOT NULL AND campaign_forbids(c.campaign_id, moment) IS NOT NULL
        AS must_wait
    FROM calls c JOIN input i ON c.id = i.id
    WHERE c.epoch = i.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended') AND i.is_current
    ORDER BY c.id FOR NO KEY UPDATE OF c
  ), begun AS (
    INSERT INTO call_attempts (call_id, number, trunk, epoch, begun_at)
    SELECT i.id, i.number, i.trunk, i.epoch, clock_timestamp() FROM input i JOIN locked l ON l.id = i.id
    WHERE NOT l.must_wait
    ON CONFLICT DO NOTHING RETURNING call_attempts.call_id
  ), written AS (
    UPDATE calls c SET carrier = i.carrier, dialog = i.dialog
    FROM input i JOIN begun b ON b.call_id = i.id WHERE c.id = i.id
  )
  SELECT i.id,
    CASE
      WHEN NOT i.is_current THEN 'gate_stale'
      WHEN l.id IS NULL THEN 'fenced'
      WHEN l.must_wait THEN 'paused'
      ELSE 'written'
    END,
    COALESCE(l.end_requested_at IS NOT NULL, false)
  FROM input i LEFT JOIN locked l ON l.id = i.id;
END $$;
