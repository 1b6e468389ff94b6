-- Accepts an evaluation with its runs, within the bounds of its account. Input: {id, account_id, agent_id, agent_version, llm,
-- idempotency_key, request_hash, runs, max_open, max_runs, window_seconds}; a run is {id, position, scenario, driver, needs,
-- rates, hold_micros, reservation_id}. The lock is the account's own: of two that begin at once, the second sees the first.
-- A repetition with the same key answers 'known' and the evaluation of that key.
CREATE OR REPLACE FUNCTION begin_evaluation(input jsonb)
RETURNS TABLE (outcome text, evaluation_id uuid, in_use int, retry_after_seconds int, available_micros bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  earlier record;
  known record;
  available bigint;
  needed bigint;
  added int;
BEGIN
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, account_id uuid, agent_id uuid, agent_version int, llm jsonb, idempotency_key text, request_hash text,
    runs jsonb, max_open int, max_runs int, window_seconds int);
  PERFORM pg_advisory_xact_lock(hashtextextended('evaluation ' || given.account_id::text, 733));
  SELECT e.id, e.request_hash = given.request_hash AS is_same INTO earlier FROM evaluations e
  WHERE e.account_id = given.account_id AND e.idempotency_key = given.idempotency_key;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN earlier.is_same THEN 'known' ELSE 'key_reused' END, earlier.id, 0, 0, 0::bigint;
    RETURN;
  END IF;
  SELECT count(DISTINCT r.evaluation_id)::int INTO known FROM evaluation_runs r
  WHERE r.account_id = given.account_id AND r.ended_at IS NULL;
  IF known.count >= given.max_open THEN
    RETURN QUERY SELECT 'too_many', NULL::uuid, known.count, 10, 0::bigint;
    RETURN;
  END IF;
  added := jsonb_array_length(given.runs);
  SELECT count(*)::int AS count, min(r.created_at) AS oldest INTO known FROM evaluation_runs r
  WHERE r.account_id = given.account_id
    AND r.created_at > clock_timestamp() - given.window_seconds * interval '1 second';
  IF known.count + added > given.max_runs THEN
    RETURN QUERY SELECT 'no_runs', NULL::uuid, known.count, GREATEST(1, ceil(EXTRACT(
      epoch FROM known.oldest + given.window_seconds * interval '1 second' - clock_timestamp())))::int, 0::bigint;
    RETURN;
  END IF;
  SELECT COALESCE(max((n->>'hold_micros')::bigint), 0) INTO needed FROM jsonb_array_elements(given.runs) n;
  available := available_for_tries(given.account_id);
  IF available < needed THEN
    RETURN QUERY SELECT 'insufficient_funds', NULL::uuid, 0, 0, available;
    RETURN;
  END IF;
  INSERT INTO evaluations (id, account_id, agent_id, agent_version, llm, idempotency_key, request_hash, created_at)
  VALUES (given.id, given.account_id, given.agent_id, given.agent_version, given.llm, given.idempotency_key,
    given.request_hash, clock_timestamp());
  INSERT INTO evaluation_runs (id, evaluation_id, account_id, position, scenario, driver, needs, rates, hold_micros,
    reservation_id, created_at)
  SELECT n.id, given.id, given.account_id, n.position, n.scenario, n.driver, n.needs, n.rates, n.hold_micros,
    n.reservation_id, clock_timestamp()
  FROM jsonb_to_recordset(given.runs) AS n(
    id uuid, position int, scenario jsonb, driver text, needs jsonb, rates jsonb, hold_micros bigint, reservation_id uuid);
  RETURN QUERY SELECT 'begun', given.id, 0, 0, available;
END $$;
