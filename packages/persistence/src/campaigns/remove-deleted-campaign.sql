-- Removes what a deleted campaign has left, at most so many rows: contacts, how their calls ended, problems of files, uploads. Its
-- row goes too if it never did anything; else it stays, with its counts, for the calls and the webhooks that name it. Returns how
-- many rows it has removed, and one more; 0: there is nothing left that nobody else removes.
--
-- A campaign waits for its last call: the statement that ends one writes how its contact ended, and may schedule a retry that a
-- sweep ends. Nothing is admitted of a campaign that is over, so none comes after that. What is removed is never updated: the place
-- of a row is the row.
CREATE OR REPLACE FUNCTION remove_deleted_campaign(most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  campaign uuid;
  removed int;
  total int := 0;
BEGIN
  SELECT g.id INTO campaign FROM campaigns g
  WHERE g.deleted_at IS NOT NULL AND g.emptied_at IS NULL
    AND NOT EXISTS (SELECT FROM calls c WHERE c.campaign_id = g.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
    AND NOT EXISTS (SELECT FROM call_schedules s WHERE s.campaign_id = g.id AND s.is_waiting)
  ORDER BY g.deleted_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;

  DELETE FROM campaign_contacts t WHERE t.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_contacts x WHERE x.campaign_id = campaign LIMIT most));
  GET DIAGNOSTICS removed = ROW_COUNT;
  total := total + removed;
  DELETE FROM campaign_outcomes o WHERE o.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_outcomes x WHERE x.campaign_id = campaign LIMIT most - total));
  GET DIAGNOSTICS removed = ROW_COUNT;
  total := total + removed;
  DELETE FROM campaign_upload_errors e WHERE e.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_upload_errors x WHERE x.campaign_id = campaign LIMIT most - total));
  GET DIAGNOSTICS removed = ROW_COUNT;
  total := total + removed;
  IF total < most THEN
    DELETE FROM campaign_uploads u WHERE (u.campaign_id, u.number) IN (
      SELECT x.campaign_id, x.number FROM campaign_uploads x WHERE x.campaign_id = campaign ORDER BY x.number LIMIT most - total);
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
  END IF;
  IF total < most THEN
    IF EXISTS (SELECT FROM calls c WHERE c.campaign_id = campaign) OR EXISTS (SELECT FROM campaign_events e WHERE e.campaign_id = campaign)
    THEN UPDATE campaigns g SET emptied_at = clock_timestamp() WHERE g.id = campaign;
    ELSE DELETE FROM campaigns g WHERE g.id = campaign;
    END IF;
  END IF;
  RETURN total + 1;
END $$;
