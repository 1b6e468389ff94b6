-- Names the account of a call whose analysis becomes pending, so that each account gets its share of the workers. A
-- trigger, because workers of the previous version make analyses pending too.
CREATE OR REPLACE FUNCTION own_pending_analysis() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.analysis_account_id := (SELECT c.account_id FROM calls c WHERE c.id = NEW.call_id);
  RETURN NEW;
END $$;

-- Every path that makes an analysis pending fires it.
CREATE OR REPLACE TRIGGER model_calls_pending_analysis BEFORE INSERT OR UPDATE OF analysis_status ON model_calls
  FOR EACH ROW WHEN (NEW.analysis_status = 'pending') EXECUTE FUNCTION own_pending_analysis();
