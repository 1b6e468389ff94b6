-- The state that a campaign moves on to by itself; null: it stays. Its time has come, it is over (a paused one by its end alone),
-- nothing of it is scheduled after it was cancelled, or its budget is used up: as long as a call is open, some of what it holds
-- may come back.
CREATE OR REPLACE FUNCTION next_campaign_state(campaign uuid) RETURNS text
LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT CASE g.state
    WHEN 'scheduled' THEN CASE WHEN g.starts_at IS NULL OR g.starts_at <= clock_timestamp() THEN 'running' END
    WHEN 'cancelling' THEN CASE WHEN NOT EXISTS (
      SELECT FROM call_schedules s WHERE s.campaign_id = campaign AND s.is_waiting) THEN 'cancelled' END
    WHEN 'paused' THEN CASE WHEN g.ends_at <= clock_timestamp() AND NOT has_campaign_work(campaign) THEN 'completed' END
    WHEN 'running' THEN CASE
      WHEN NOT has_campaign_work(campaign) THEN 'completed'
      WHEN n.held_by = 'budget' AND NOT EXISTS (
        SELECT FROM calls c WHERE c.campaign_id = campaign AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
        THEN 'paused' END
    END
  FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id WHERE g.id = campaign
$$;
