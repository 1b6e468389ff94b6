-- Notes a call in the statement that ends it, so that each call is counted once. It only inserts: a total would be a row
-- that workers wait for.
CREATE OR REPLACE FUNCTION note_ended_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uncounted_calls (account_id, call_id) VALUES (NEW.account_id, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
