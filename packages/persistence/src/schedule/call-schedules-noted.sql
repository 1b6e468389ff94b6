-- Every path that schedules a call fires it: a request, and the settlement that schedules a retry.
CREATE OR REPLACE TRIGGER call_schedules_noted AFTER INSERT ON call_schedules
  REFERENCING NEW TABLE AS new_schedules FOR EACH STATEMENT EXECUTE FUNCTION note_scheduled_calls();
