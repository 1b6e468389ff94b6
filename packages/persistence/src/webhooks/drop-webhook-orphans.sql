-- Drops what is pending for endpoints that are disabled, deleted or expired, at most `most` rows: also what a statement
-- inserted that began before the endpoint was disabled. Removes the rows of endpoints that are gone for a day.
CREATE OR REPLACE FUNCTION drop_webhook_orphans(most int) RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  closed record;
  dropped int := 0;
BEGIN
  FOR closed IN
    SELECT p.id, p.kind, p.deleted_at, p.expires_at FROM webhook_endpoints p
    WHERE (p.state = 'disabled' OR p.expires_at IS NOT NULL) AND (p.state = 'disabled' OR p.expires_at <= moment)
      AND EXISTS (SELECT FROM webhook_lanes_of(p.id, p.kind) AS l(lane), webhook_deliveries d
                  WHERE d.state = 'pending' AND d.lane = l.lane)
    ORDER BY p.id
  LOOP
    dropped := dropped + drop_webhooks_of(closed.id, closed.kind, most - dropped);
    EXIT WHEN dropped >= most;
  END LOOP;
  IF dropped = 0 THEN
    WITH old AS MATERIALIZED (
      SELECT p.id FROM webhook_endpoints p
      WHERE (p.state = 'disabled' OR p.expires_at IS NOT NULL)
        AND (p.deleted_at <= moment - interval '1 day' OR p.expires_at <= moment - interval '1 day')
      LIMIT 100 FOR UPDATE SKIP LOCKED
    ), lanes AS (
      DELETE FROM webhook_lanes l USING old o WHERE l.endpoint_id = o.id
    )
    DELETE FROM webhook_endpoints p USING old o WHERE p.id = o.id;
  END IF;
  RETURN dropped;
END $$;
