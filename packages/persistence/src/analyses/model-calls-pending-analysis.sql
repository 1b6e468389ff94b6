-- Every path that makes an analysis pending fires it.
CREATE OR REPLACE TRIGGER model_calls_pending_analysis BEFORE INSERT OR UPDATE OF analysis_status ON model_calls
  FOR EACH ROW WHEN (NEW.analysis_status = 'pending') EXECUTE FUNCTION own_pending_analysis();
