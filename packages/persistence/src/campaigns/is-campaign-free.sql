-- Whether nobody else has locked what a move of a campaign changes besides its own row. Locks it, and waits for nothing. Notices and
-- webhooks name its account. A turn that does not exist may be about to: another transaction may insert it.
CREATE OR REPLACE FUNCTION is_campaign_free(campaign uuid, account uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off
AS $$
BEGIN
  PERFORM FROM accounts a WHERE a.id = account FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM FROM campaign_lanes n WHERE n.campaign_id = campaign FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  IF next_campaign_state(campaign) IS DISTINCT FROM 'running' THEN RETURN true; END IF;
  PERFORM FROM dial_turns t WHERE t.account_id = account FOR NO KEY UPDATE SKIP LOCKED;
  RETURN FOUND;
END $$;
