-- Stores what a driver reports of a second leg. Input: {id, call_id, epoch, carrier, dialog, answered_at_ms, connected_at_ms,
-- ended_at_ms, outcome, sip_code}; what is missing stays. A leg that ends without an answer is settled at once, at no cost: its hold
-- is free. One that was answered keeps its hold until the end of the call, which charges it.
CREATE OR REPLACE FUNCTION save_transfer_leg(input jsonb) RETURNS TABLE (outcome text, end_requested boolean)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  owner record;
BEGIN
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, call_id uuid, epoch int, carrier text, dialog jsonb, answered_at_ms bigint, connected_at_ms bigint,
    ended_at_ms bigint, outcome text, sip_code int);
  SELECT c.end_requested_at IS NOT NULL AS ends INTO owner FROM calls c
  WHERE c.id = given.call_id AND c.epoch = given.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended')
  FOR NO KEY UPDATE OF c;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'fenced', false;
    RETURN;
  END IF;
  -- In two steps: the second one reads what the first has stored.
  UPDATE transfer_legs t SET carrier = COALESCE(given.carrier, t.carrier), dialog = COALESCE(given.dialog, t.dialog),
    answered_at = COALESCE(t.answered_at,
      -- GREATEST skips nulls: a leg without an answer must not get one.
      CASE WHEN given.answered_at_ms IS NOT NULL THEN GREATEST(from_epoch_ms(given.answered_at_ms), t.begun_at) END)
  WHERE t.id = given.id AND t.ended_at IS NULL AND (given.answered_at_ms IS NOT NULL OR given.dialog IS NOT NULL);
  UPDATE transfer_legs t SET
    connected_at = COALESCE(t.connected_at,
      CASE WHEN given.connected_at_ms IS NOT NULL THEN GREATEST(from_epoch_ms(given.connected_at_ms), t.answered_at) END),
    ended_at = CASE WHEN given.ended_at_ms IS NOT NULL
      THEN GREATEST(from_epoch_ms(given.ended_at_ms), t.begun_at, t.answered_at) END,
    outcome = given.outcome, sip_code = given.sip_code,
    settled_at = CASE WHEN given.ended_at_ms IS NOT NULL AND t.answered_at IS NULL THEN clock_timestamp() END
  WHERE t.id = given.id AND t.ended_at IS NULL AND (given.connected_at_ms IS NOT NULL OR given.ended_at_ms IS NOT NULL);
  RETURN QUERY SELECT 'written', owner.ends;
END $$;
