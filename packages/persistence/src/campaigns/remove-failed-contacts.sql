-- Removes contacts of failed uploads, at most so many, of one campaign or of any. A failed upload's `accepted` says how many it still
-- has. Returns how many contacts and uploads it has dealt with; 0: there is nothing left that nobody else removes.
CREATE OR REPLACE FUNCTION remove_failed_contacts(campaign uuid, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  failed record;
  removed int;
BEGIN
  SELECT u.campaign_id, u.number INTO failed FROM campaign_uploads u
  WHERE u.state = 'failed' AND u.accepted > 0 AND (campaign IS NULL OR u.campaign_id = campaign)
  ORDER BY u.campaign_id, u.number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  DELETE FROM campaign_contacts t
  WHERE t.campaign_id = failed.campaign_id AND t.upload = failed.number AND t.line = ANY (ARRAY(
    SELECT x.line FROM campaign_contacts x WHERE x.campaign_id = failed.campaign_id AND x.upload = failed.number
    ORDER BY x.line LIMIT most));
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE campaign_uploads u SET accepted = CASE WHEN removed < most THEN 0 ELSE GREATEST(0, u.accepted - removed) END
  WHERE u.campaign_id = failed.campaign_id AND u.number = failed.number;
  RETURN removed + 1;
END $$;
