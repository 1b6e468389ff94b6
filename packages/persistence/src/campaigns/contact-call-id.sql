-- The id of the first call to a contact: a UUID of version 8 (RFC 9562 section 5.8). It is derived, so that a campaign that stocks
-- its contacts again after a failover makes the same calls again, whose dial marks Redis may have.
CREATE OR REPLACE FUNCTION contact_call_id(campaign uuid, upload int, line int) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT encode(set_byte(set_byte(d.bytes, 6, get_byte(d.bytes, 6) & 15 | 128), 8, get_byte(d.bytes, 8) & 63 | 128), 'hex')::uuid
  FROM (
    SELECT substring(sha256(convert_to(concat_ws(' ', 'contact', campaign, upload, line), 'UTF8')) FOR 16) AS bytes
  ) d
$$;
