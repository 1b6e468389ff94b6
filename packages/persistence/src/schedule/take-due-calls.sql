-- Takes due calls of a turn, the longest due first. For the settings, see ../accept/accept-calls.sql.
--
-- It locks the calls before it asks whether the turn still lasts: the answer holds until it is committed. A call that another
-- statement ends meanwhile is skipped. Whoever took a call and has not admitted it has two seconds more than it thinks:
-- an admission may wait for a lock after it has asked for the time.
CREATE OR REPLACE FUNCTION take_due_calls(account uuid, turn bigint, most int)
RETURNS TABLE (call_id uuid, admit_token uuid, scheduled_for timestamptz, agent_id uuid, agent_version int, caller_number text,
  callee_number text, max_duration_seconds int, ring_timeout_seconds int, variables json, request_id text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_ids uuid[];
  moment timestamptz := clock_timestamp();
BEGIN
  found_ids := ARRAY(
    SELECT s.call_id FROM call_schedules s
    WHERE s.account_id = account AND s.is_waiting AND s.due_at <= moment AND s.give_up_at > moment
      AND (s.admitting_until IS NULL OR s.admitting_until <= moment - interval '2 seconds')
    ORDER BY s.due_at, s.call_id LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  PERFORM FROM dial_turns t
  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY
  WITH taken AS (
    UPDATE call_schedules s
    SET admit_token = gen_random_uuid(), admitting_until = clock_timestamp() + interval '10 seconds'
    WHERE s.call_id = ANY (found_ids)
    RETURNING s.call_id, s.admit_token, s.scheduled_for, s.due_at
  )
  SELECT c.id, t.admit_token, t.scheduled_for, c.agent_id, c.agent_version, c.caller_number, c.callee_number,
    c.max_duration_seconds, c.ring_timeout_seconds, c.variables, c.request_id
  FROM taken t JOIN calls c ON c.id = t.call_id ORDER BY t.due_at, c.id;
END $$;
