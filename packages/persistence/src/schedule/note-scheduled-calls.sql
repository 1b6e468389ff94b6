-- Adds calls to what is searched, in the statement that schedules them.
CREATE OR REPLACE FUNCTION note_scheduled_calls() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT s.call_id FROM new_schedules s WHERE s.is_waiting);
BEGIN
  -- Accepting and settling fire the trigger too, nearly always without a row.
  IF cardinality(ids) > 0 THEN PERFORM add_scheduled_calls(ids); END IF;
  RETURN NULL;
END $$;
