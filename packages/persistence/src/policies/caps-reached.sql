-- The caps that a number has reached, and when each lets another dial through. `own` is the entry of the call that asks, which
-- does not count. A period ends with the dial: the cap is over once its oldest dial that counts is as old as the period.
CREATE OR REPLACE FUNCTION caps_reached(account uuid, callee text, moment timestamptz, own timestamptz)
RETURNS TABLE (until timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT x.at + make_interval(hours => (c->>'hours')::int)
  FROM policies_of(account) p, jsonb_array_elements(p.settings->'caps') c, LATERAL (
    SELECT d.at FROM dial_counts k, unnest(k.dialed_at) WITH ORDINALITY d(at, place)
    WHERE k.account_id = account AND k.number = substr(callee, 2)::bigint
      AND d.at > moment - make_interval(hours => (c->>'hours')::int)
      -- Another call's entry may be of the same millisecond.
      AND d.place IS DISTINCT FROM array_position(k.dialed_at, own)
    ORDER BY d.at DESC OFFSET (c->>'max')::int - 1 LIMIT 1
  ) x
$$;
