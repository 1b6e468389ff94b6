-- Disables standing endpoints without a success for five days and 20 failures, and tells owners of those that have failed
-- for a day. One process at a time. Returns how many it disabled.
CREATE OR REPLACE FUNCTION disable_failing_webhooks() RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  disabled int := 0;
  failing record;
BEGIN
  IF NOT pg_try_advisory_xact_lock(733) THEN RETURN 0; END IF;
  FOR failing IN
    SELECT p.id, p.account_id, p.url, l.failing_since, l.failures
    FROM webhook_lanes l JOIN webhook_endpoints p ON p.id = l.endpoint_id AND p.kind = 'standing' AND p.state = 'enabled'
    WHERE l.failing_since <= moment - interval '1 day' ORDER BY l.lane LIMIT 1000
  LOOP
    IF failing.failing_since <= moment - interval '5 days' AND failing.failures >= 20 THEN
      IF disable_webhook_endpoint(failing.id, 'failing') THEN disabled := disabled + 1; END IF;
    ELSE
      INSERT INTO account_notices (account_id, kind, data)
      SELECT failing.account_id, 'webhook_endpoint_failing', jsonb_build_object('endpoint_id', failing.id, 'url', failing.url)
      WHERE NOT EXISTS (
        SELECT FROM account_notices n
        WHERE n.account_id = failing.account_id AND n.kind = 'webhook_endpoint_failing'
          AND n.data ->> 'endpoint_id' = failing.id::text AND n.created_at >= failing.failing_since);
    END IF;
  END LOOP;
  RETURN disabled;
END $$;
