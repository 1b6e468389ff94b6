-- Moves campaigns on whose time has come, at most so many: those that start, those that are over, and those that are cancelled and
-- have nothing scheduled any more. Returns each with its new state.
--
-- It locks the campaign, and looks anew in the next statement: an upload that became ready meanwhile locked it too. Whatever a
-- settlement schedules for a campaign that is over is ended by the sweep of expired calls.
CREATE OR REPLACE FUNCTION move_campaigns(most int) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found record;
  next_state text;
  moment timestamptz;
BEGIN
  FOR found IN
    SELECT g.id FROM campaigns g
    WHERE g.state IN ('scheduled', 'running', 'cancelling')
      AND CASE g.state
        WHEN 'scheduled' THEN g.starts_at <= clock_timestamp()
        WHEN 'cancelling' THEN true
        ELSE NOT has_campaign_work(g.id) END
    ORDER BY g.id LIMIT most FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    moment := clock_timestamp();
    SELECT CASE
        WHEN g.state = 'scheduled' AND g.starts_at <= moment THEN 'running'
        WHEN g.state = 'running' AND NOT has_campaign_work(g.id) THEN 'completed'
        WHEN g.state = 'cancelling' AND NOT EXISTS (
          SELECT FROM call_schedules s WHERE s.campaign_id = g.id AND s.is_waiting) THEN 'cancelled'
      END INTO next_state FROM campaigns g WHERE g.id = found.id;
    CONTINUE WHEN next_state IS NULL;
    RETURN QUERY
    UPDATE campaigns g
    SET state = next_state, started_at = COALESCE(g.started_at, moment),
        ended_at = CASE WHEN next_state <> 'running' THEN moment END
    WHERE g.id = found.id RETURNING g.id, g.account_id, g.state;
    IF next_state = 'running' THEN
      INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
      SELECT g.account_id, moment, moment, '-infinity' FROM campaigns g WHERE g.id = found.id
      ON CONFLICT (account_id) DO UPDATE
        SET due_at = LEAST(t.due_at, excluded.due_at), new_due = LEAST(t.new_due, excluded.due_at);
    END IF;
  END LOOP;
END $$;
