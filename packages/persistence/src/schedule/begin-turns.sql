-- Begins the turns of accounts that are due, the longest due first; none while dialing is paused, since an admitted call would
-- wait in the queue, with a slot and a hold, until its time there is over. For the settings, see ../accept/accept-calls.sql.
--
-- A turn raises the epoch of its account: whatever an earlier turn still does has no effect. It forgets the due times that
-- were written before it: what is scheduled from now on is written again, so that the turn's end misses nothing that its
-- statements could not see. What is due is read by a statement after this one: its snapshot has what the turn before
-- committed, and no account's row is locked while another account's calls are counted.
CREATE OR REPLACE FUNCTION begin_turns(worker text, most int) RETURNS TABLE (account_id uuid, epoch bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_ids uuid[];
  overdue uuid;
  moment timestamptz := clock_timestamp();
BEGIN
  IF (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1) THEN RETURN; END IF;
  found_ids := ARRAY(
    SELECT t.account_id FROM dial_turns t WHERE t.due_at <= moment AND t.held_until <= moment
    ORDER BY t.due_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  IF cardinality(found_ids) < most THEN
    -- An account that schedules one call after the other has its row locked nearly always: wait for the one that is late.
    BEGIN
      SELECT t.account_id INTO overdue FROM dial_turns t
      WHERE t.due_at <= moment - interval '500 milliseconds' AND t.held_until <= moment AND t.account_id <> ALL (found_ids)
      ORDER BY t.due_at LIMIT 1 FOR NO KEY UPDATE;
      IF FOUND THEN found_ids := found_ids || overdue; END IF;
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END IF;
  IF cardinality(found_ids) = 0 THEN RETURN; END IF;

  RETURN QUERY
  UPDATE dial_turns t
  SET epoch = t.epoch + 1, holder = worker, held_until = clock_timestamp() + interval '10 seconds',
      due_at = clock_timestamp() + interval '10 seconds', new_due = 'infinity'
  WHERE t.account_id = ANY (found_ids)
  RETURNING t.account_id, t.epoch;
END $$;
