-- Notes a call in the statement that ends it, so that each call is counted once. It only inserts: a total would be a row
-- that workers wait for. It also deletes what was said in the call, whose transcript takes the place: a statement of this
-- function sees the turns of a renewal that was in flight, which the statement that ends the call began too early to see.
-- The previous version knows no second legs. One that it leaves behind is settled here, at no cost, so that its hold is free.
CREATE OR REPLACE FUNCTION note_ended_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uncounted_calls (account_id, call_id) VALUES (NEW.account_id, NEW.id) ON CONFLICT DO NOTHING;
  IF NEW.answered_at IS NOT NULL THEN
    DELETE FROM call_turns WHERE call_id = NEW.id;
    UPDATE transfer_legs t SET ended_at = COALESCE(t.ended_at, GREATEST(NEW.ended_at, t.begun_at, t.answered_at)),
      outcome = 'lost', settled_at = clock_timestamp()
    WHERE t.call_id = NEW.id AND t.settled_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
