-- Begins an upload of contacts to a campaign. No row: the account has no such campaign.
--
-- The campaign is locked first, so that of two uploads one begins. Contacts of a failed upload that are not removed yet would make
-- duplicates of those that come: whoever begins removes them first (see remove_failed_contacts).
CREATE OR REPLACE FUNCTION begin_upload(account uuid, campaign uuid, name text)
RETURNS TABLE (outcome text, state text, number int)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
BEGIN
  SELECT g.state INTO found_state FROM campaigns g WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF found_state IN ('cancelling', 'cancelled', 'completed')
  THEN RETURN QUERY SELECT 'campaign_state', found_state, 0; RETURN; END IF;
  IF EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
  THEN RETURN QUERY SELECT 'upload_in_progress', found_state, 0; RETURN; END IF;
  IF EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'failed' AND u.accepted > 0)
  THEN RETURN QUERY SELECT 'removing', found_state, 0; RETURN; END IF;
  RETURN QUERY
  INSERT INTO campaign_uploads (campaign_id, number, state, file_name, started_at, moved_at)
  SELECT campaign, COALESCE(max(u.number), 0) + 1, 'receiving', name, clock_timestamp(), clock_timestamp()
  FROM campaign_uploads u WHERE u.campaign_id = campaign
  RETURNING 'begun', found_state, campaign_uploads.number;
END $$;
