-- Ends an upload whose last line has been added: from now on its contacts are called. With `whole`, it fails if a line is no
-- contact. `sent`: how many lines it has. Output: `ready`; `over`, if it was given up; `lost`, if Postgres has fewer lines of it,
-- because a standby without them took over; `invalid`; `campaign_state`, with the state of a campaign that is over.
--
-- The campaign is locked first: a sweep that completes it looks again once it has the lock (see move_campaigns).
CREATE OR REPLACE FUNCTION finish_upload(campaign uuid, upload int, sent int, who text, whole boolean)
RETURNS TABLE (outcome text, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
  upload_row record;
  moment timestamptz;
  failure text;
BEGIN
  SELECT g.state INTO found_state FROM campaigns g WHERE g.id = campaign FOR NO KEY UPDATE;
  SELECT u.* INTO upload_row FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.number = upload FOR NO KEY UPDATE;
  IF upload_row.state <> 'receiving' THEN
    -- It is sent again if its first answer was lost.
    RETURN QUERY SELECT CASE upload_row.state WHEN 'ready' THEN 'ready' ELSE 'over' END, found_state;
    RETURN;
  END IF;
  moment := clock_timestamp();
  failure := CASE
    WHEN found_state IN ('cancelling', 'cancelled', 'completed') THEN 'campaign_state'
    WHEN upload_row.rows < sent THEN 'lost'
    WHEN whole AND upload_row.invalid > 0 THEN 'invalid' END;
  IF failure IS NOT NULL THEN
    UPDATE campaign_uploads u
    SET state = 'failed', ended_at = moment, error = CASE failure
      WHEN 'invalid' THEN CASE upload_row.invalid WHEN 1 THEN '1 line is' ELSE upload_row.invalid || ' lines are' END || ' no contact.'
      WHEN 'lost' THEN 'The database has lost a part of it.' ELSE 'The campaign is over.' END
    WHERE u.campaign_id = campaign AND u.number = upload;
    RETURN QUERY SELECT failure, found_state;
    RETURN;
  END IF;
  UPDATE campaign_uploads u SET state = 'ready', moved_at = moment, ended_at = moment
  WHERE u.campaign_id = campaign AND u.number = upload;
  UPDATE campaigns g SET contact_count = g.contact_count + upload_row.accepted WHERE g.id = campaign;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  SELECT who, 'campaign.add_contacts', 'campaign', campaign::text,
    jsonb_build_object('account_id', g.account_id, 'upload', upload, 'accepted', upload_row.accepted)
  FROM campaigns g WHERE g.id = campaign;
  IF found_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  RETURN QUERY SELECT 'ready', found_state;
END $$;
