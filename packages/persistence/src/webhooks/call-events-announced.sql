-- Every path that writes to a timeline fires it.
CREATE OR REPLACE TRIGGER call_events_announced AFTER INSERT ON call_events
  REFERENCING NEW TABLE AS new_events FOR EACH STATEMENT EXECUTE FUNCTION announce_call_events();
