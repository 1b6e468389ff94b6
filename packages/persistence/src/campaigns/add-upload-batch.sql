-- Adds lines to an upload that is being received. Input: contacts [{line, number, variables, metadata, time_zone}], errors [{line,
-- column, value, message}], and how many lines the upload had before: a batch that is sent again is not counted again. Output:
-- `added`; `over`, if the upload has ended meanwhile; `lost`, if Postgres does not have a batch that was added, because a standby
-- without it took over; `too_many_contacts`, which ends it.
--
-- The row of the upload is locked first, so that nothing is added to one that was given up.
CREATE OR REPLACE FUNCTION add_upload_batch(campaign uuid, upload int, rows_before int, contacts json, errors json, bad int, most int)
RETURNS text
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  upload_row record;
  given int := json_array_length(contacts);
  added int;
  had int;
  kept int;
BEGIN
  SELECT u.rows, u.accepted INTO upload_row FROM campaign_uploads u
  WHERE u.campaign_id = campaign AND u.number = upload AND u.state = 'receiving' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'over'; END IF;
  IF upload_row.rows > rows_before THEN RETURN 'added'; END IF;
  IF upload_row.rows < rows_before THEN RETURN 'lost'; END IF;
  INSERT INTO campaign_contacts (campaign_id, upload, line, number, variables, metadata, time_zone)
  SELECT campaign, upload, r.line, r.number, r.variables, r.metadata, r.time_zone
  FROM json_to_recordset(contacts) AS r(line int, number bigint, variables json, metadata json, time_zone text)
  ORDER BY r.line
  ON CONFLICT (campaign_id, number) DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  INSERT INTO campaign_upload_errors (campaign_id, upload, line, "column", value, message)
  SELECT campaign, upload, r.line, r."column", r.value, r.message
  FROM json_to_recordset(errors) AS r(line int, "column" text, value text, message text);
  GET DIAGNOSTICS kept = ROW_COUNT;
  -- Nothing else of the campaign becomes ready while this upload is received.
  SELECT g.contact_count INTO had FROM campaigns g WHERE g.id = campaign;
  UPDATE campaign_uploads u
  SET rows = u.rows + given + bad, accepted = u.accepted + added, duplicates = u.duplicates + given - added,
      invalid = u.invalid + bad, error_count = u.error_count + kept, moved_at = clock_timestamp()
  WHERE u.campaign_id = campaign AND u.number = upload;
  IF had + upload_row.accepted + added <= most THEN RETURN 'added'; END IF;
  UPDATE campaign_uploads u
  SET state = 'failed', ended_at = clock_timestamp(), error = 'The campaign would have more than ' || most || ' contacts.'
  WHERE u.campaign_id = campaign AND u.number = upload;
  RETURN 'too_many_contacts';
END $$;
