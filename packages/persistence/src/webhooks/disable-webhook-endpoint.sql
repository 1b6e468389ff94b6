-- Disables a standing endpoint, tells its account's owners, and its other endpoints. Owners hear of an endpoint once a day, and
-- of twenty things at most: each notice is an e-mail, and an endpoint can be enabled and disabled without end. What is pending for it is dropped by
-- `drop_webhooks_of`. Returns whether it was enabled.
CREATE OR REPLACE FUNCTION disable_webhook_endpoint(endpoint_id uuid, reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  moment constant timestamptz(3) := clock_timestamp();
  told text := to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  endpoint record;
BEGIN
  UPDATE webhook_endpoints p SET state = 'disabled', disabled_reason = reason, disabled_at = moment
  WHERE p.id = disable_webhook_endpoint.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
  RETURNING p.id, p.account_id, p.url INTO endpoint;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO account_notices (account_id, kind, data)
  SELECT endpoint.account_id, 'webhook_endpoint_disabled',
    jsonb_build_object('endpoint_id', endpoint.id, 'url', endpoint.url, 'reason', reason)
  WHERE NOT EXISTS (
    SELECT FROM (
      SELECT n.kind, n.data, row_number() OVER () AS place FROM (
        SELECT o.kind, o.data FROM account_notices o
        WHERE o.account_id = endpoint.account_id AND o.created_at > moment - interval '1 day' LIMIT 20
      ) n
    ) x WHERE x.place = 20 OR (x.kind = 'webhook_endpoint_disabled' AND x.data ->> 'endpoint_id' = endpoint.id::text));
  PERFORM announce_webhook(endpoint.account_id, 'webhook.endpoint_disabled', moment,
    json_build_object('type', 'webhook.endpoint_disabled', 'timestamp', told, 'data', json_build_object('endpoint',
      json_build_object('id', endpoint.id, 'url', endpoint.url, 'disabled_reason', reason, 'disabled_at', told)))::text,
    NULL, endpoint.id);
  RETURN true;
END $$;
