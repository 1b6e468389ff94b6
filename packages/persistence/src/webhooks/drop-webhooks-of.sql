-- Drops what is pending in lanes of an endpoint, at most `most` rows. What is in flight is dropped too: a success that
-- comes after that still counts.
CREATE OR REPLACE FUNCTION drop_webhooks_of(endpoint_id uuid, kind text, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  dropped int;
BEGIN
  -- The caller may have read the endpoint before it was enabled again: what is pending since then must be sent.
  PERFORM FROM webhook_endpoints p WHERE p.id = drop_webhooks_of.endpoint_id
    AND (p.state = 'disabled' OR p.expires_at <= clock_timestamp()) FOR SHARE;
  IF NOT FOUND THEN RETURN 0; END IF;
  WITH due AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id
    FROM webhook_lanes_of(drop_webhooks_of.endpoint_id, drop_webhooks_of.kind) AS l(lane), webhook_deliveries d
    WHERE d.state = 'pending' AND d.lane = l.lane AND d.endpoint_id = drop_webhooks_of.endpoint_id
    LIMIT most FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE webhook_deliveries d SET state = 'dropped', claimed_until = NULL FROM due
  WHERE d.message_id = due.message_id AND d.endpoint_id = due.endpoint_id;
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END $$;
