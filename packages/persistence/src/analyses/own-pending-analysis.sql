-- Names the account of a call whose analysis becomes pending, so that each account gets its share of the workers. A
-- trigger, because workers of the previous version make analyses pending too.
CREATE OR REPLACE FUNCTION own_pending_analysis() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.analysis_account_id := (SELECT c.account_id FROM calls c WHERE c.id = NEW.call_id);
  RETURN NEW;
END $$;
