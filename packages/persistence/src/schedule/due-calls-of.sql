-- What the turns of these accounts may admit: slots that neither an open call nor a call of an earlier turn takes, the due
-- calls that no turn has, counted up to 200, and for how long the first of them may wait in the queue.
--
-- The moment is a variable: compared with a function that is asked for every row, no index would serve.
CREATE OR REPLACE FUNCTION due_calls_of(accounts uuid[])
RETURNS TABLE (account_id uuid, free_slots int, due_calls int, queue_ttl_seconds int)
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
  SELECT a.id,
    a.capacity
      - (SELECT count(*)::int FROM calls c WHERE c.account_id = a.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
      - (SELECT count(*)::int FROM call_schedules s
         WHERE s.account_id = a.id AND s.admitting_until > moment - interval '2 seconds'),
    (SELECT count(*)::int FROM (
       SELECT FROM call_schedules s
       WHERE s.account_id = a.id AND s.is_waiting AND s.due_at <= moment AND s.give_up_at > moment
         AND (s.admitting_until IS NULL OR s.admitting_until <= moment - interval '2 seconds')
       ORDER BY s.due_at LIMIT 200) x),
    COALESCE((SELECT s.queue_ttl_seconds FROM call_schedules s
      WHERE s.account_id = a.id AND s.is_waiting AND s.due_at <= moment ORDER BY s.due_at LIMIT 1), 0)
  FROM accounts a WHERE a.id = ANY (accounts) ORDER BY a.id;
END $$;
