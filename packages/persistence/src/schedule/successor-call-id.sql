-- The id of the call that retries a call: a UUID of version 8 (RFC 9562 section 5.8). It is derived, so that a settlement that
-- is repeated after a failover makes the same call again, whose dial mark Redis may have.
CREATE OR REPLACE FUNCTION successor_call_id(call_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT encode(set_byte(set_byte(d.bytes, 6, get_byte(d.bytes, 6) & 15 | 128), 8, get_byte(d.bytes, 8) & 63 | 128), 'hex')::uuid
  FROM (SELECT substring(sha256(convert_to('retry ' || call_id::text, 'UTF8')) FOR 16) AS bytes) d
$$;
