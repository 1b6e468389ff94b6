-- A lane for URLs of calls: an account has 64 of them, so that no customer makes lanes at will. sha256, because md5 raises
-- on hosts that allow only FIPS, and this runs inside the statements of calls.
CREATE OR REPLACE FUNCTION webhook_call_lane(endpoint_id uuid, number int) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT encode(substr(sha256(convert_to(endpoint_id::text || ' ' || number, 'UTF8')), 1, 16), 'hex')::uuid $$;
