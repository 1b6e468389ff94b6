-- Moves campaigns on that do so by themselves, at most so many: see next_campaign_state. Returns each with its new state, and tells
-- the account of those that are completed, and of those that have used up their budget.
--
-- It locks the campaign, and looks again in the next statement: an upload that became ready before locked it too. What a
-- settlement schedules for a campaign that is over is ended by the next sweep of campaigns.
CREATE OR REPLACE FUNCTION move_campaigns(most int) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  candidate record;
  next_state text;
  moment timestamptz;
  looked_at constant timestamptz := clock_timestamp();
BEGIN
  FOR candidate IN
    -- A paused campaign is looked at once its end has come: there may be thousands.
    SELECT g.id FROM campaigns g WHERE g.id = ANY (ARRAY(
      SELECT x.id FROM (
        SELECT c.id FROM campaigns c WHERE c.state IN ('scheduled', 'running', 'cancelling')
        UNION ALL SELECT c.id FROM campaigns c WHERE c.state = 'paused' AND c.ends_at <= looked_at
      ) x WHERE next_campaign_state(x.id) IS NOT NULL LIMIT most))
    ORDER BY g.id FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    next_state := next_campaign_state(candidate.id);
    CONTINUE WHEN next_state IS NULL;
    moment := clock_timestamp();
    RETURN QUERY
    UPDATE campaigns g
    SET state = next_state, started_at = CASE WHEN next_state = 'running' THEN COALESCE(g.started_at, moment) ELSE g.started_at END,
        ended_at = CASE WHEN next_state IN ('completed', 'cancelled') THEN moment END
    WHERE g.id = candidate.id RETURNING g.id, g.account_id, g.state;
    INSERT INTO account_notices (account_id, kind, data)
    SELECT g.account_id, CASE next_state WHEN 'completed' THEN 'campaign_completed' ELSE 'campaign_budget' END,
      jsonb_build_object('campaign_id', g.id, 'name', g.name)
    FROM campaigns g WHERE g.id = candidate.id AND next_state IN ('completed', 'paused')
      -- Of twenty things a day at most: each notice is an e-mail, and a campaign may be resumed without end.
      AND (
        SELECT count(*) FROM (
          SELECT FROM account_notices o WHERE o.account_id = g.account_id AND o.created_at > moment - interval '1 day' LIMIT 20) n) < 20;
    IF next_state = 'running' THEN PERFORM make_campaign_due(candidate.id, moment); END IF;
    PERFORM measure_campaign_anew(candidate.id, CASE WHEN next_state = 'running' THEN moment END);
  END LOOP;
END $$;
