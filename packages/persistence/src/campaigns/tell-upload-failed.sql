-- Tells owners of an account that a file of contacts did not arrive, where no answer told its sender: its connection broke off, or
-- nothing came any more. Of a campaign once a day, and of twenty things a day at most: each notice is an e-mail, and a file can
-- break off without end. Whoever calls it has the row of the upload locked.
CREATE OR REPLACE FUNCTION tell_upload_failed(campaign uuid, upload int) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO account_notices (account_id, kind, data)
  SELECT g.account_id, 'campaign_upload_failed',
    jsonb_build_object('campaign_id', g.id, 'name', g.name, 'upload', upload, 'file_name', u.file_name)
  FROM campaigns g JOIN campaign_uploads u ON u.campaign_id = g.id AND u.number = upload
  WHERE g.id = campaign AND NOT EXISTS (
    SELECT FROM (
      SELECT n.kind, n.data, row_number() OVER () AS place FROM (
        SELECT o.kind, o.data FROM account_notices o
        WHERE o.account_id = g.account_id AND o.created_at > clock_timestamp() - interval '1 day' LIMIT 20
      ) n
    ) x WHERE x.place = 20 OR (x.kind = 'campaign_upload_failed' AND x.data ->> 'campaign_id' = campaign::text))
$$;
