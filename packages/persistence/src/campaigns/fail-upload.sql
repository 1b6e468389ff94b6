-- Ends an upload that is being received; one that is over stays as it is. `unanswered`: its sender gets no answer, so
-- the owners get a notice.
CREATE OR REPLACE FUNCTION fail_upload(campaign uuid, upload int, why text, unanswered boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s'
AS $$
BEGIN
  UPDATE campaign_uploads u SET state = 'failed', ended_at = clock_timestamp(), error = why
  WHERE u.campaign_id = campaign AND u.number = upload AND u.state = 'receiving';
  IF FOUND AND unanswered THEN PERFORM tell_upload_failed(campaign, upload); END IF;
END $$;
