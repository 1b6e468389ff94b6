-- An id of version 7 (RFC 9562, section 5.7): those of one time are neighbors in an index, so a backlog of a million rows that is
-- worked off in their order touches few pages. Random ids are all over the index, in memory that no cache of the processor holds.
CREATE OR REPLACE FUNCTION time_ordered_uuid() RETURNS uuid LANGUAGE sql VOLATILE
AS $$
  SELECT encode(
    -- The bits 52 and 53 make 7 of the version 4.
    set_bit(set_bit(
      substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        || substring(uuid_send(gen_random_uuid()) FROM 7),
      52, 1), 53, 1),
    'hex')::uuid
$$;

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

ALTER TABLE "webhook_messages" ALTER COLUMN "id" SET DEFAULT time_ordered_uuid();
