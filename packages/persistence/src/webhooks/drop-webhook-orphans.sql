-- Drops what is pending for endpoints that are disabled, deleted or expired, at most `most` rows: also what a statement
-- inserted that began before the endpoint was disabled. It goes by what is pending: customers make and delete as many
-- endpoints as they like. Closes listeners that have expired. Removes the rows of endpoints that are gone for an hour.
CREATE OR REPLACE FUNCTION drop_webhook_orphans(most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  closed record;
  dropped int := 0;
BEGIN
  -- A listener that expired stays enabled for nobody: events are announced to all that are.
  UPDATE webhook_endpoints p SET state = 'disabled', disabled_reason = 'owner', disabled_at = p.expires_at,
    deleted_at = p.expires_at
  FROM (
    SELECT o.id FROM webhook_endpoints o
    WHERE o.expires_at IS NOT NULL AND o.disabled_at IS NULL AND o.state = 'enabled' AND o.expires_at <= moment
    LIMIT 1000 FOR UPDATE SKIP LOCKED
  ) x WHERE p.id = x.id;

  FOR closed IN
    -- One look-up for each lane, however much is pending in it.
    WITH RECURSIVE walk AS (
      (SELECT d.lane, d.endpoint_id FROM webhook_deliveries d
       WHERE d.state = 'pending' ORDER BY d.lane, d.due_at, d.event_id LIMIT 1)
      UNION ALL
      SELECT n.lane, n.endpoint_id FROM walk w, LATERAL (
        SELECT d.lane, d.endpoint_id FROM webhook_deliveries d
        WHERE d.state = 'pending' AND d.lane > w.lane ORDER BY d.lane, d.due_at, d.event_id LIMIT 1
      ) n
    )
    SELECT DISTINCT p.id, p.kind FROM walk w JOIN webhook_endpoints p ON p.id = w.endpoint_id
    WHERE p.state = 'disabled' OR p.expires_at <= moment
    ORDER BY p.id
  LOOP
    dropped := dropped + drop_webhooks_of(closed.id, closed.kind, most - dropped);
    EXIT WHEN dropped >= most;
  END LOOP;
  IF dropped = 0 THEN
    WITH old AS MATERIALIZED (
      SELECT x.id FROM (
        (SELECT p.id FROM webhook_endpoints p
         WHERE p.state = 'disabled' AND p.disabled_at <= moment - interval '1 hour' AND p.deleted_at <= moment - interval '1 hour'
         ORDER BY p.disabled_at LIMIT 1000)
        UNION ALL
        (SELECT p.id FROM webhook_endpoints p
         WHERE p.expires_at IS NOT NULL AND p.disabled_at IS NULL AND p.expires_at <= moment - interval '1 hour' LIMIT 1000)
      ) x
    ), locked AS MATERIALIZED (
      SELECT p.id FROM webhook_endpoints p JOIN old o ON o.id = p.id ORDER BY p.id FOR UPDATE OF p SKIP LOCKED
    ), lanes AS (
      DELETE FROM webhook_lanes l USING locked k WHERE l.endpoint_id = k.id
    )
    DELETE FROM webhook_endpoints p USING locked k WHERE p.id = k.id;
  END IF;
  RETURN dropped;
END $$;
