-- Begins the turns of accounts that are due, the longest due first. For the settings, see ../accept/accept-calls.sql.
--
-- A turn raises the epoch of its account: whatever an earlier turn still does has no effect. It forgets the due times that
-- were written before it: what is scheduled from now on is written anew, so that the turn's end misses nothing that its
-- statements could not see. The readings are a statement of their own, whose snapshot has what the turn before committed.
CREATE OR REPLACE FUNCTION begin_turns(worker text, most int)
RETURNS TABLE (account_id uuid, epoch bigint, free_slots int, due_calls int)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_ids uuid[];
  overdue uuid;
BEGIN
  found_ids := ARRAY(
    SELECT t.account_id FROM dial_turns t
    WHERE t.due_at <= clock_timestamp() AND t.held_until <= clock_timestamp()
    ORDER BY t.due_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  IF cardinality(found_ids) < most THEN
    -- An account that schedules one call after the other has its row locked nearly always: wait for the one that is late.
    BEGIN
      SELECT t.account_id INTO overdue FROM dial_turns t
      WHERE t.due_at <= clock_timestamp() - interval '500 milliseconds' AND t.held_until <= clock_timestamp()
        AND t.account_id <> ALL (found_ids)
      ORDER BY t.due_at LIMIT 1 FOR NO KEY UPDATE;
      IF FOUND THEN found_ids := found_ids || overdue; END IF;
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END IF;
  IF cardinality(found_ids) = 0 THEN RETURN; END IF;

  UPDATE dial_turns t
  SET epoch = t.epoch + 1, holder = worker, held_until = clock_timestamp() + interval '10 seconds',
      due_at = clock_timestamp() + interval '10 seconds', new_due = 'infinity'
  WHERE t.account_id = ANY (found_ids);

  RETURN QUERY
  SELECT t.account_id, t.epoch,
    a.capacity
      - (SELECT count(*)::int FROM calls c
         WHERE c.account_id = t.account_id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
      - (SELECT count(*)::int FROM call_schedules s
         WHERE s.account_id = t.account_id AND s.is_waiting AND s.due_at <= clock_timestamp()
           AND s.admitting_until > clock_timestamp() - interval '2 seconds'),
    (SELECT count(*)::int FROM (
       SELECT FROM call_schedules s
       WHERE s.account_id = t.account_id AND s.is_waiting AND s.due_at <= clock_timestamp()
         AND (s.admitting_until IS NULL OR s.admitting_until <= clock_timestamp() - interval '2 seconds')
       ORDER BY s.due_at LIMIT 200) x)
  FROM dial_turns t JOIN accounts a ON a.id = t.account_id WHERE t.account_id = ANY (found_ids) ORDER BY t.account_id;
END $$;
