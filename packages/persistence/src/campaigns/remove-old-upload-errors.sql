-- Removes problems of an upload that ended before `kept`, at most so many, of the one that ended first. Its counts stay. Returns how
-- many, and one more; 0: there is nothing left that nobody else removes.
CREATE OR REPLACE FUNCTION remove_old_upload_errors(kept interval, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  old record;
  removed int;
BEGIN
  SELECT u.campaign_id, u.number INTO old FROM campaign_uploads u
  WHERE u.error_count > 0 AND u.ended_at < clock_timestamp() - kept
  ORDER BY u.ended_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  DELETE FROM campaign_upload_errors e WHERE e.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_upload_errors x WHERE x.campaign_id = old.campaign_id AND x.upload = old.number LIMIT most));
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE campaign_uploads u SET error_count = CASE WHEN removed < most THEN 0 ELSE GREATEST(1, u.error_count - removed) END
  WHERE u.campaign_id = old.campaign_id AND u.number = old.number;
  RETURN removed + 1;
END $$;
