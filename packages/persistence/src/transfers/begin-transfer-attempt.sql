-- Stores which trunk a second leg goes to next, and the leg as it will be, before anything is sent to the trunk. Input: {id,
-- call_id, epoch, carrier, trunk, dialog, generation, timeline}. As ../trunks/begin-attempts.sql does for the first leg.
CREATE OR REPLACE FUNCTION begin_transfer_attempt(input jsonb) RETURNS TABLE (outcome text, end_requested boolean)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  owner record;
  leg record;
  is_current boolean;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, call_id uuid, epoch int, carrier text, trunk text, dialog jsonb, generation bigint, timeline text);
  SELECT c.account_id, c.end_requested_at IS NOT NULL AS ends INTO owner FROM calls c
  WHERE c.id = given.call_id AND c.epoch = given.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended')
  FOR NO KEY UPDATE OF c;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'fenced', false;
    RETURN;
  END IF;
  SELECT g.generation = given.generation AND given.timeline = postgres_timeline() INTO is_current FROM gate g WHERE g.id = 1;
  IF NOT is_current THEN
    RETURN QUERY SELECT 'gate_stale', owner.ends;
    RETURN;
  END IF;
  SELECT t.callee_number INTO leg FROM transfer_legs t WHERE t.id = given.id AND t.ended_at IS NULL;
  IF NOT FOUND OR owner.ends OR (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1)
    OR EXISTS (SELECT FROM suppressions_of(owner.account_id, leg.callee_number)) THEN
    RETURN QUERY SELECT 'paused', owner.ends;
    RETURN;
  END IF;
  UPDATE transfer_legs t SET carrier = given.carrier, trunk = given.trunk, dialog = given.dialog WHERE t.id = given.id;
  RETURN QUERY SELECT 'written', owner.ends;
END $$;
