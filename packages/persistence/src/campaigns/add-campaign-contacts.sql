-- Adds contacts to a campaign as one upload that is ready at once. Input: [{line, number, variables, metadata, time_zone}]. A number
-- that the campaign has already is not added again, and the first of two wins. No row: the account has no such campaign.
--
-- The campaign is locked first: it does not complete meanwhile. While a file is received, nothing else is added: the cursor would
-- pass its place, and its contacts would never be called.
CREATE OR REPLACE FUNCTION add_campaign_contacts(account uuid, campaign uuid, who text, contacts json, most int)
RETURNS TABLE (outcome text, state text, number int, accepted int, at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
  upload_number int;
  had int;
  added int;
  moment timestamptz;
BEGIN
  SELECT g.state, g.contact_count INTO found_state, had FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF found_state IN ('cancelling', 'cancelled', 'completed')
  THEN RETURN QUERY SELECT 'campaign_state', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  -- What is left of a failed upload would make duplicates of contacts that come.
  IF EXISTS (SELECT FROM campaign_uploads u
    WHERE u.campaign_id = campaign AND (u.state = 'receiving' OR u.state = 'failed' AND u.accepted > 0))
  THEN RETURN QUERY SELECT 'upload_in_progress', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  moment := clock_timestamp();
  SELECT COALESCE(max(u.number), 0) + 1 INTO upload_number FROM campaign_uploads u WHERE u.campaign_id = campaign;
  -- Most campaigns are far from it, whatever is a duplicate.
  IF had + json_array_length(contacts) > most AND had + (
    SELECT count(DISTINCT r.number) FROM json_to_recordset(contacts) AS r(number bigint)
    WHERE NOT EXISTS (SELECT FROM campaign_contacts t WHERE t.campaign_id = campaign AND t.number = r.number)) > most
  THEN RETURN QUERY SELECT 'too_many_contacts', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  INSERT INTO campaign_contacts (campaign_id, upload, line, number, variables, metadata, time_zone)
  SELECT campaign, upload_number, r.line, r.number, r.variables, r.metadata, r.time_zone
  FROM json_to_recordset(contacts) AS r(line int, number bigint, variables json, metadata json, time_zone text)
  ORDER BY r.line
  ON CONFLICT (campaign_id, number) DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  INSERT INTO campaign_uploads (campaign_id, number, state, rows, accepted, duplicates, started_at, moved_at, ended_at)
  VALUES (campaign, upload_number, 'ready', json_array_length(contacts), added, json_array_length(contacts) - added,
    moment, moment, moment);
  UPDATE campaigns g SET contact_count = g.contact_count + added WHERE g.id = campaign;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  VALUES (who, 'campaign.add_contacts', 'campaign', campaign,
    jsonb_build_object('account_id', account, 'upload', upload_number, 'accepted', added));
  IF found_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  RETURN QUERY SELECT 'added', found_state, upload_number, added, moment;
END $$;
