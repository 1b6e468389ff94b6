-- Moves a campaign on that does so by itself: see next_campaign_state. Returns its new state; no row: it stays. Tells the account
-- of one that is completed, and of one that has used up its budget. What a settlement schedules for a campaign that is over is
-- ended by the next sweep of campaigns.
--
-- It locks the campaign, and looks again in the next statement: an upload that became ready before locked it too. It waits for
-- what another transaction has locked a moment, and no longer.
CREATE OR REPLACE FUNCTION move_campaign(campaign uuid) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  next_state text;
  moment timestamptz;
BEGIN
  PERFORM FROM campaigns g WHERE g.id = campaign FOR NO KEY UPDATE;
  next_state := next_campaign_state(campaign);
  IF next_state IS NULL THEN RETURN; END IF;
  moment := clock_timestamp();
  RETURN QUERY
  UPDATE campaigns g
  SET state = next_state, started_at = CASE WHEN next_state = 'running' THEN COALESCE(g.started_at, moment) ELSE g.started_at END,
      ended_at = CASE WHEN next_state IN ('completed', 'cancelled') THEN moment END
  WHERE g.id = campaign RETURNING g.id, g.account_id, g.state;
  INSERT INTO account_notices (account_id, kind, data)
  SELECT g.account_id, CASE next_state WHEN 'completed' THEN 'campaign_completed' ELSE 'campaign_budget' END,
    jsonb_build_object('campaign_id', g.id, 'name', g.name)
  FROM campaigns g WHERE g.id = campaign AND next_state IN ('completed', 'paused')
    -- Of twenty things a day at most: each notice is an e-mail, and a campaign may be resumed without end.
    AND (
      SELECT count(*) FROM (
        SELECT FROM account_notices o WHERE o.account_id = g.account_id AND o.created_at > moment - interval '1 day' LIMIT 20) n) < 20;
  IF next_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  PERFORM measure_campaign_anew(campaign, CASE WHEN next_state = 'running' THEN moment END);
END $$;
