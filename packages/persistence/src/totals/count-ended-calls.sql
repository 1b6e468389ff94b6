-- Counts the next ended calls, and returns how many it examined. 0: nothing is left to count, or another worker counts.
-- It first walks the calls from before the trigger, by id, from the end of the last batch. Until that is done, it counts
-- no call that the trigger noted: a call is either noted or from before, never both.
CREATE OR REPLACE FUNCTION count_ended_calls(batch_size int) RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off AS $$
DECLARE
  progress call_count_progress;
  ids uuid[];
  walked uuid[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(732) THEN
    RETURN 0;
  END IF;
  SELECT * INTO progress FROM call_count_progress p WHERE p.id = 1;
  IF progress.finished THEN
    WITH batch AS (
      SELECT u.account_id, u.call_id FROM uncounted_calls u LIMIT batch_size
    ), taken AS (
      DELETE FROM uncounted_calls u USING batch b WHERE u.account_id = b.account_id AND u.call_id = b.call_id
      RETURNING u.call_id
    )
    SELECT array_agg(t.call_id) INTO ids FROM taken t;
    PERFORM add_to_call_totals(ids) WHERE ids IS NOT NULL;
    RETURN COALESCE(cardinality(ids), 0);
  END IF;

  -- One statement sees a call as ended and as noted, or as neither.
  SELECT array_agg(w.id), array_agg(w.id) FILTER (WHERE w.status = 'ended' AND NOT w.is_noted) INTO walked, ids FROM (
    SELECT c.id, c.status,
      EXISTS (SELECT FROM uncounted_calls u WHERE u.account_id = c.account_id AND u.call_id = c.id) AS is_noted
    FROM calls c WHERE progress.last_call_id IS NULL OR c.id > progress.last_call_id ORDER BY c.id LIMIT batch_size
  ) w;
  PERFORM add_to_call_totals(ids) WHERE ids IS NOT NULL;
  UPDATE call_count_progress p SET
    last_call_id = COALESCE(walked[cardinality(walked)], p.last_call_id), finished = walked IS NULL
  WHERE p.id = 1;
  RETURN GREATEST(COALESCE(cardinality(walked), 0), 1);
END $$;
