-- Begins the second leg of a call, under the gate's token, before anything is sent for it. Input: {id, call_id, epoch,
-- reservation_id, destination, callee_number, rate_prefix, connection_fee_micros, price_per_minute_micros,
-- initial_increment_seconds, increment_seconds, hold_micros, ring_timeout_seconds, max_duration_seconds, records_ahead,
-- generation, timeline}. For the lock and the settings, see ../accept/accept-calls.sql.
--
-- Repeated, it answers whether the leg may be dialed now. A leg that is refused voids its reservation: a copy of the question that
-- arrives later begins nothing.
CREATE OR REPLACE FUNCTION begin_transfer_leg(input jsonb) RETURNS TABLE (outcome text, end_requested boolean)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  owner record;
  known record;
  moment timestamptz;
  is_current boolean;
  must_wait boolean;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  moment := clock_timestamp();
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, call_id uuid, epoch int, reservation_id uuid, destination text, callee_number text, rate_prefix text,
    connection_fee_micros bigint, price_per_minute_micros bigint, initial_increment_seconds int, increment_seconds int,
    hold_micros bigint, ring_timeout_seconds int, max_duration_seconds int, records_ahead boolean, generation bigint,
    timeline text);
  SELECT c.account_id, c.end_requested_at IS NOT NULL AS ends INTO owner FROM calls c
  WHERE c.id = given.call_id AND c.epoch = given.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended')
  FOR NO KEY UPDATE OF c;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'fenced', false;
    RETURN;
  END IF;
  must_wait := owner.ends OR (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1)
    OR EXISTS (SELECT FROM suppressions_of(owner.account_id, given.callee_number));
  SELECT t.ended_at IS NOT NULL AS is_over INTO known FROM transfer_legs t WHERE t.id = given.id;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN must_wait OR known.is_over THEN 'refused' ELSE 'begun' END, owner.ends;
    RETURN;
  END IF;
  SELECT g.generation = given.generation AND given.timeline = postgres_timeline() INTO is_current FROM gate g WHERE g.id = 1;
  IF NOT is_current THEN
    RETURN QUERY SELECT 'gate_stale', owner.ends;
    RETURN;
  END IF;
  must_wait := must_wait
    OR EXISTS (SELECT FROM transfer_legs t WHERE t.call_id = given.call_id AND t.ended_at IS NULL);
  INSERT INTO reservations (id, state)
  VALUES (given.reservation_id, CASE WHEN must_wait THEN 'void' ELSE 'used' END::reservation_state)
  ON CONFLICT (id) DO NOTHING;
  IF NOT FOUND OR must_wait THEN
    RETURN QUERY SELECT 'refused', owner.ends;
    RETURN;
  END IF;
  INSERT INTO transfer_legs (id, call_id, reservation_id, destination, callee_number, rate_prefix, connection_fee_micros,
    price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros, ring_timeout_seconds,
    max_duration_seconds, records_ahead, begun_at)
  VALUES (given.id, given.call_id, given.reservation_id, given.destination, given.callee_number, given.rate_prefix,
    given.connection_fee_micros, given.price_per_minute_micros, given.initial_increment_seconds, given.increment_seconds,
    given.hold_micros, given.ring_timeout_seconds, given.max_duration_seconds, given.records_ahead, moment);
  RETURN QUERY SELECT 'begun', owner.ends;
END $$;
