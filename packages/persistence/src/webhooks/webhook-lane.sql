-- What is limited together: an endpoint; of URLs of calls, those whose origins fall into one group.
CREATE OR REPLACE FUNCTION webhook_lane(endpoint_id uuid, kind text, call_url text) RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE kind
    WHEN 'per_call' THEN
      webhook_call_lane(endpoint_id, get_byte(sha256(convert_to(
        lower(split_part(split_part(split_part(call_url, '#', 1), '?', 1), '/', 3)), 'UTF8')), 0) % 64)
    ELSE endpoint_id
  END
$$;
