-- Deletes a campaign of an account that calls nobody: a draft, or one that is over. No row: the account has no such campaign.
--
-- It is hidden at once, and no longer counts. Its contacts, up to a million, are removed later: see remove_deleted_campaign. Its
-- calls stay as they are, and so does its row, which they name. Who adds contacts, changes or starts it locks the same row, and
-- does not find it afterwards.
CREATE OR REPLACE FUNCTION delete_campaign(account uuid, campaign uuid, who text) RETURNS TABLE (outcome text, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
BEGIN
  SELECT g.state INTO found_state FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF found_state NOT IN ('draft', 'cancelled', 'completed')
  THEN RETURN QUERY SELECT 'campaign_state', found_state; RETURN; END IF;
  IF EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
  THEN RETURN QUERY SELECT 'upload_in_progress', found_state; RETURN; END IF;
  UPDATE campaigns g SET deleted_at = clock_timestamp() WHERE g.id = campaign;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  VALUES (who, 'campaign.delete', 'campaign', campaign, jsonb_build_object('account_id', account, 'state', found_state));
  RETURN QUERY SELECT 'deleted', found_state;
END $$;
