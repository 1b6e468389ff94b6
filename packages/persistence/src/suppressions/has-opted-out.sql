-- Whether the timeline of a call says already that its callee opted out. VOLATILE, so that it sees what was committed while
-- the statement waited for the row of the call: the snapshot of that statement is older than the wait.
CREATE OR REPLACE FUNCTION has_opted_out(call uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM call_events e WHERE e.call_id = call AND e.type = 'opted_out');
END $$;
