-- Every path that ends a call fires it, settle and cancellation alike.
CREATE OR REPLACE TRIGGER calls_ended AFTER UPDATE OF status ON calls
  FOR EACH ROW WHEN (NEW.status = 'ended' AND OLD.status <> 'ended') EXECUTE FUNCTION note_ended_call();
