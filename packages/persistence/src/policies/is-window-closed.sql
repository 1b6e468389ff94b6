-- Whether a policy forbids to dial at this moment somebody who may be in any of these time zones: the local clock of one of them is
-- outside the times of a row that applies, or its date is a closed day. Nobody knows where a number without a zone is, so any
-- rule about hours closes it.
--
-- A row applies everywhere (`default`), in its country or region, or in any region of its country where `US-*` says that the
-- region is not known. `packages/policies` says the same in TypeScript, and a test compares the two.
--
-- A claim asks it of each call. So it has expressions, which plpgsql evaluates by itself, and nearly no query.
CREATE OR REPLACE FUNCTION is_window_closed(settings jsonb, zones text[], regions text[], moment timestamptz)
RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
DECLARE
  windows jsonb := settings->'windows';
  closed_days jsonb := settings->'closed_days';
  row_keys text[] := array_append(regions, 'default');
  zone text;
  here timestamp;
  seen timestamp[] := '{}';
  clock text;
  today text;
  row_key text;
  times jsonb;
  is_open boolean;
BEGIN
  IF windows = '{}' AND closed_days = '[]' THEN RETURN false; END IF;
  IF COALESCE(cardinality(zones), 0) = 0 THEN RETURN true; END IF;
  IF array_to_string(regions, ' ') LIKE '%-*%' THEN
    row_keys := row_keys || ARRAY(
      SELECT k FROM jsonb_object_keys(windows) k WHERE split_part(k, '-', 1) || '-*' = ANY (regions));
  END IF;
  FOREACH zone IN ARRAY zones LOOP
    here := moment AT TIME ZONE zone;
    -- Most of a country's zones keep the same clock.
    CONTINUE WHEN here = ANY (seen);
    seen := seen || here;
    IF closed_days ? to_char(here, 'YYYY-MM-DD') THEN RETURN true; END IF;
    clock := to_char(here, 'HH24:MI');
    today := to_char(here, 'dy');
    FOREACH row_key IN ARRAY row_keys LOOP
      CONTINUE WHEN NOT windows ? row_key;
      times := windows->row_key->today;
      is_open := false;
      FOR nth IN 0 .. COALESCE(jsonb_array_length(times), 0) - 1 LOOP
        is_open := is_open
          OR clock >= left(times->>nth, 5) COLLATE "C" AND clock < right(times->>nth, 5) COLLATE "C";
      END LOOP;
      IF NOT is_open THEN RETURN true; END IF;
    END LOOP;
  END LOOP;
  RETURN false;
END $$;
