-- Disables standing endpoints without a success for five days and 20 failures, and tells owners of those that have failed
-- for a day. One process at a time. It looks only at endpoints that it will change, a thousand of each at most: however many
-- fail, each has its turn. Returns how many it disabled.
CREATE OR REPLACE FUNCTION disable_failing_webhooks() RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  disabled int := 0;
  failing record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(733) THEN RETURN 0; END IF;
  FOR failing IN
    SELECT x.id FROM (
      SELECT p.id FROM webhook_lanes l
        JOIN webhook_endpoints p ON p.id = l.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
      WHERE l.failing_since <= moment - interval '5 days' AND l.failures >= 20
      ORDER BY l.failing_since LIMIT 1000
    -- By key, as outcomes disable them.
    ) x ORDER BY x.id
  LOOP
    IF disable_webhook_endpoint(failing.id, 'failing') THEN disabled := disabled + 1; END IF;
  END LOOP;

  INSERT INTO account_notices (account_id, kind, data)
  SELECT p.account_id, 'webhook_endpoint_failing', jsonb_build_object('endpoint_id', p.id, 'url', p.url)
  FROM webhook_lanes l
    JOIN webhook_endpoints p ON p.id = l.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
  WHERE l.failing_since <= moment - interval '1 day'
    AND NOT (l.failing_since <= moment - interval '5 days' AND l.failures >= 20)
    AND NOT EXISTS (
      SELECT FROM account_notices n
      WHERE n.account_id = p.account_id AND n.kind = 'webhook_endpoint_failing'
        AND n.data ->> 'endpoint_id' = p.id::text AND n.created_at >= l.failing_since)
  ORDER BY l.failing_since LIMIT 1000;
  RETURN disabled;
END $$;
