-- Starts the counting again from the first call: for calls that were written without the trigger, as by a restored
-- backup. Waits for the calls that are ending, and lets none end until it is committed.
CREATE OR REPLACE FUNCTION recount_calls() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(732);
  IF EXISTS (SELECT FROM retention_rounds r WHERE r.calls_deleted_at IS NOT NULL) THEN
    RAISE EXCEPTION 'retention has deleted calls: the totals have what no call says any more, and cannot be counted again';
  END IF;
  LOCK TABLE calls IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM uncounted_calls;
  DELETE FROM call_totals;
  DELETE FROM call_subject_totals;
  DELETE FROM called_numbers;
  DELETE FROM call_terms;
  PERFORM add_scheduled_calls(ARRAY(SELECT s.call_id FROM call_schedules s WHERE s.is_waiting));
  UPDATE call_count_progress SET last_call_id = NULL, finished = false;
END $$;
