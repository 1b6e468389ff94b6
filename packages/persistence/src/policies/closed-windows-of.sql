-- The policies that forbid an account to dial a callee at this moment. `given` is the time zone that the request named: it is asked
-- besides those of the number, or alone if every policy trusts it.
CREATE OR REPLACE FUNCTION closed_windows_of(account uuid, zones text[], regions text[], given text, moment timestamptz)
RETURNS TABLE (is_floor boolean) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT p.is_floor FROM policies_of(account) p
  WHERE is_window_closed(p.settings,
    CASE
      WHEN given IS NULL THEN zones
      WHEN (SELECT bool_and((q.settings->>'trust_given_zone')::boolean) FROM policies_of(account) q) THEN ARRAY[given]
      -- Where the zones of the number were never looked up, they stay unknown.
      WHEN zones IS NOT NULL THEN zones || given
    END, regions, moment)
$$;
