-- Every lane that deliveries for this endpoint may have.
CREATE OR REPLACE FUNCTION webhook_lanes_of(endpoint_id uuid, kind text) RETURNS SETOF uuid LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE kind WHEN 'per_call' THEN webhook_call_lane(endpoint_id, n) ELSE endpoint_id END
  FROM generate_series(0, CASE kind WHEN 'per_call' THEN 63 ELSE 0 END) AS n
$$;
