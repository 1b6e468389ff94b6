-- Deletes messages of before the retention with their deliveries and attempts, at most `most` messages. What is still
-- pending is dropped first; what is in flight stays, with its message.
CREATE OR REPLACE FUNCTION delete_expired_webhooks(retention_days int, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  expired uuid[];
  deleted int;
BEGIN
  -- Locked before the deliveries are read: a replay that adds one to a message has the message's row.
  SELECT array_agg(x.id) INTO expired FROM (
    SELECT m.id FROM webhook_messages m WHERE m.created_at < moment - make_interval(days => retention_days)
    ORDER BY m.created_at LIMIT most FOR UPDATE SKIP LOCKED
  ) x;
  -- All of them by key, as outcomes lock them, before any is changed: in another order each would wait for the other.
  PERFORM FROM (
    SELECT FROM webhook_deliveries d WHERE d.message_id = ANY (expired)
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d
  ) x;
  UPDATE webhook_deliveries d SET state = 'dropped', claimed_until = NULL
  WHERE d.message_id = ANY (expired) AND d.state = 'pending' AND (d.claimed_until IS NULL OR d.claimed_until <= moment);

  SELECT array_agg(u.id) INTO expired FROM unnest(expired) AS u(id)
  WHERE NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.message_id = u.id AND d.state = 'pending');
  DELETE FROM webhook_attempts a WHERE a.message_id = ANY (expired);
  DELETE FROM webhook_deliveries d WHERE d.message_id = ANY (expired);
  DELETE FROM webhook_messages m WHERE m.id = ANY (expired);
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;
