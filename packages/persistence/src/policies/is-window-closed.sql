-- Whether a policy forbids to dial at this moment somebody who may be in any of these time zones: the local clock of one of them is
-- outside the times of a row that applies, or its date is a closed day. Nobody knows where a number without a zone is, so any
-- rule about hours closes it.
--
-- A row applies everywhere (`default`), in its country or region, or in any region of its country where `US-*` says that the
-- region is not known. `packages/policies` says the same in TypeScript, and a test compares the two.
CREATE OR REPLACE FUNCTION is_window_closed(settings jsonb, zones text[], regions text[], moment timestamptz)
RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
DECLARE
  weeks jsonb[];
  week jsonb;
  here timestamp;
  clock text;
BEGIN
  IF settings->'windows' = '{}' AND settings->'closed_days' = '[]' THEN RETURN false; END IF;
  IF COALESCE(cardinality(zones), 0) = 0 THEN RETURN true; END IF;
  weeks := ARRAY(
    SELECT w.value FROM jsonb_each(settings->'windows') w
    WHERE w.key = 'default' OR w.key = ANY (regions) OR split_part(w.key, '-', 1) || '-*' = ANY (regions));
  -- Most of a country's zones keep the same clock.
  FOR here IN SELECT DISTINCT moment AT TIME ZONE z FROM unnest(zones) z LOOP
    IF settings->'closed_days' ? to_char(here, 'YYYY-MM-DD') THEN RETURN true; END IF;
    clock := to_char(here, 'HH24:MI');
    FOREACH week IN ARRAY weeks LOOP
      IF NOT EXISTS (
        SELECT FROM jsonb_array_elements_text(week->to_char(here, 'dy')) t
        WHERE clock >= left(t, 5) COLLATE "C" AND clock < right(t, 5) COLLATE "C") THEN
        RETURN true;
      END IF;
    END LOOP;
  END LOOP;
  RETURN false;
END $$;
