-- Moves campaigns on that do so by themselves, at most so many: see move_campaign. Returns each with its new state; without one:
-- another transaction has locked what it would change, and it is left to a statement that waits for that alone. So no account
-- delays the campaigns of another one, whatever it has locked.
CREATE OR REPLACE FUNCTION move_campaigns(most int) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  candidate record;
  looked_at constant timestamptz := clock_timestamp();
BEGIN
  FOR candidate IN
    -- A paused campaign is looked at once its end has come: there may be thousands.
    SELECT g.id, g.account_id FROM campaigns g WHERE g.id = ANY (ARRAY(
      SELECT x.id FROM (
        SELECT c.id FROM campaigns c WHERE c.state IN ('scheduled', 'running', 'cancelling')
        UNION ALL SELECT c.id FROM campaigns c WHERE c.state = 'paused' AND c.ends_at <= looked_at
      ) x WHERE next_campaign_state(x.id) IS NOT NULL LIMIT most))
    ORDER BY g.id FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    IF is_campaign_free(candidate.id, candidate.account_id) THEN RETURN QUERY SELECT m.* FROM move_campaign(candidate.id) m;
    ELSE RETURN QUERY SELECT candidate.id, candidate.account_id, NULL::text;
    END IF;
  END LOOP;
END $$;
