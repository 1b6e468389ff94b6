-- An id of a timeline event such that it and all ids below were written before this moment; 0 if none is known. It bisects
-- the ids. Of 1,000 neighbors, the latest time stands for when they were written: drivers may report an event late. An hour
-- is allowed for that.
CREATE OR REPLACE FUNCTION call_event_before(moment timestamptz) RETURNS bigint
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  low bigint := 0;
  high bigint := COALESCE((SELECT e.id FROM call_events e ORDER BY e.id DESC LIMIT 1), 0);
  middle bigint;
  latest timestamptz;
BEGIN
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    SELECT max(x.at) INTO latest FROM (
      SELECT e.at FROM call_events e WHERE e.id <= middle ORDER BY e.id DESC LIMIT 1000
    ) x;
    IF latest IS NULL OR latest < moment - interval '1 hour' THEN low := middle; ELSE high := middle - 1; END IF;
  END LOOP;
  RETURN low;
END $$;
