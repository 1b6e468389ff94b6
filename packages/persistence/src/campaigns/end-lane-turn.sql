-- Ends a turn: the account is due again with the first of its lanes, each not before the time that the turn says of it. Input:
-- [{lane, not_before_ms}]. A lane that is not named does not call: its campaign is paused, held or over.
--
-- A call that is still being admitted counts once a turn may take it again. Contacts without a call are due at once. `new_due`
-- has what was scheduled since the turn began, also what this statement's snapshot does not have.
CREATE OR REPLACE FUNCTION end_lane_turn(account uuid, turn bigint, lanes jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
  -- Columns have whole milliseconds and round up: the account would not be due yet.
  moment constant timestamptz := date_trunc('milliseconds', clock_timestamp());
  next_due timestamptz;
BEGIN
  SELECT min(GREATEST(moment + l.not_before_ms * interval '1 millisecond', x.due_at)) INTO next_due
  FROM jsonb_to_recordset(lanes) AS l(lane uuid, not_before_ms int), LATERAL (
    SELECT min(GREATEST(w.due_at, w.admitting_until + interval '2 seconds')) AS due_at FROM (
      SELECT s.due_at, s.admitting_until FROM call_schedules s
      WHERE s.account_id = account AND COALESCE(s.campaign_id, s.account_id) = l.lane AND s.is_waiting AND s.give_up_at > moment
      ORDER BY s.due_at LIMIT 200) w
    UNION ALL
    SELECT moment FROM campaign_lanes n, LATERAL (
      SELECT FROM campaign_contacts t
      WHERE t.campaign_id = n.campaign_id AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line)
        -- For the uploads, see lanes_of.
        AND t.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = n.campaign_id AND r.state = 'ready')
      ORDER BY t.upload, t.line LIMIT 1) c
    WHERE n.campaign_id = l.lane
  ) x
  -- GREATEST skips nulls: a lane without a call is not due.
  WHERE x.due_at IS NOT NULL;
  UPDATE dial_turns t
  SET holder = NULL, held_until = moment, due_at = LEAST(t.new_due, COALESCE(next_due, 'infinity'))
  WHERE t.account_id = account AND t.epoch = turn;
END $$;
