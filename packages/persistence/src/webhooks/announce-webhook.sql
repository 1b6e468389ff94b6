-- A message of an account that no timeline has, for its standing endpoints that want the type. Returns its id; null: no
-- endpoint wants it. `only_to` is the one endpoint that gets it, whatever it wants; `not_to` is one that does not.
CREATE OR REPLACE FUNCTION announce_webhook(account uuid, about text, at timestamptz, sent text, only_to uuid, not_to uuid)
RETURNS uuid LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
  message uuid := time_ordered_uuid();
BEGIN
  INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, type, tries_left, due_at, created_at)
  SELECT message, p.id, account, webhook_lane(p.id, p.kind, NULL::text), about, webhook_tries(p.kind), moment, moment
  FROM webhook_endpoints p
  WHERE p.account_id = account AND p.state = 'enabled' AND p.kind = 'standing' AND p.id IS DISTINCT FROM not_to
    AND CASE WHEN only_to IS NULL THEN p.events = '{}' OR about = ANY (p.events) ELSE p.id = only_to END;
  IF NOT FOUND THEN RETURN NULL; END IF;
  INSERT INTO webhook_messages (id, account_id, type, occurred_at, created_at, body)
  VALUES (message, account, about, at, moment, sent);
  RETURN message;
END $$;
