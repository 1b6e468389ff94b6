-- What an account has, without what its open calls and tries may still cost.
CREATE OR REPLACE FUNCTION available_for_tries(account uuid) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT w.balance_micros
    - COALESCE((SELECT sum(c.hold_micros) FROM calls c
                WHERE c.account_id = w.account_id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL), 0)::bigint
    - COALESCE((SELECT sum(t.hold_micros) FROM agent_tries t
                WHERE t.account_id = w.account_id AND t.ended_at IS NULL), 0)::bigint
  FROM wallets w WHERE w.account_id = account
$$;

-- Begins a run of an evaluation: a try that has its money, its lease and its lines. Input: {id, try_id, lease, lease_ms,
-- max_running, max_seconds}. A run begins once: when its worker is lost, its try ends, and so does the run.
CREATE OR REPLACE FUNCTION begin_evaluation_run(input jsonb)
RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  run record;
  running int;
BEGIN
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, try_id uuid, lease uuid, lease_ms int, max_running int, max_seconds int);
  SELECT r.account_id INTO run FROM evaluation_runs r WHERE r.id = given.id;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'over';
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('evaluation ' || run.account_id::text, 733));
  SELECT r.*, e.agent_id, e.agent_version, e.cancelled_at INTO run
  FROM evaluation_runs r JOIN evaluations e ON e.id = r.evaluation_id WHERE r.id = given.id FOR NO KEY UPDATE OF r;
  IF run.try_id IS NOT NULL OR run.ended_at IS NOT NULL THEN
    RETURN QUERY SELECT 'over';
    RETURN;
  END IF;
  SELECT count(*)::int INTO running FROM evaluation_runs r JOIN agent_tries t ON t.id = r.try_id
  WHERE r.account_id = run.account_id AND t.account_id = run.account_id AND t.ended_at IS NULL;
  IF running >= given.max_running THEN
    RETURN QUERY SELECT 'busy';
    RETURN;
  END IF;
  IF run.cancelled_at IS NOT NULL OR available_for_tries(run.account_id) < run.hold_micros THEN
    UPDATE evaluation_runs r SET ended_at = clock_timestamp(), verdict = 'errored',
      problem = CASE WHEN run.cancelled_at IS NOT NULL THEN 'cancelled' ELSE 'insufficient_funds' END
    WHERE r.id = run.id;
    RETURN QUERY SELECT 'ended';
    RETURN;
  END IF;
  INSERT INTO agent_tries (id, account_id, agent_id, agent_version, driver, variables, needs, rates, hold_micros,
    reservation_id, lease, lease_until, claims, created_at, expires_at)
  VALUES (given.try_id, run.account_id, run.agent_id, run.agent_version, run.driver,
    COALESCE(run.scenario->'variables', '{}'), run.needs, run.rates, run.hold_micros, run.reservation_id, given.lease,
    clock_timestamp() + given.lease_ms * interval '1 millisecond', 1, clock_timestamp(),
    clock_timestamp() + given.max_seconds * interval '1 second');
  UPDATE evaluation_runs r SET try_id = given.try_id, started_at = clock_timestamp() WHERE r.id = run.id;
  RETURN QUERY SELECT 'begun';
END $$;

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

-- Begins a conversation with an agent in text, within the bounds of its account. Input: {id, account_id, agent_id,
-- agent_version, driver, variables, needs, rates, hold_micros, reservation_id, max_open, max_seconds, least_seconds,
-- account_seconds, window_seconds}. The lock is the account's own: of two that begin at once, the second sees the first.
CREATE OR REPLACE FUNCTION begin_try(input jsonb)
RETURNS TABLE (outcome text, in_use int, retry_after_seconds int, available_micros bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  known record;
  available bigint;
  granted int;
BEGIN
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, account_id uuid, agent_id uuid, agent_version int, driver text, variables jsonb, needs jsonb, rates jsonb,
    hold_micros bigint, reservation_id uuid, max_open int, max_seconds int, least_seconds int, account_seconds int,
    window_seconds int);
  PERFORM pg_advisory_xact_lock(hashtextextended('try ' || given.account_id::text, 732));
  -- A try that is open counts with all the time that it may take. Those of evaluations have their own bounds.
  SELECT count(*) FILTER (WHERE t.ended_at IS NULL)::int AS open,
    COALESCE(ceil(sum(EXTRACT(epoch FROM COALESCE(t.ended_at, t.expires_at) - t.created_at))), 0)::int AS seconds,
    min(t.created_at) AS oldest, min(t.expires_at) FILTER (WHERE t.ended_at IS NULL) AS soonest
  INTO known FROM agent_tries t
  WHERE t.account_id = given.account_id
    AND (t.ended_at IS NULL OR t.created_at > clock_timestamp() - given.window_seconds * interval '1 second')
    AND NOT EXISTS (SELECT FROM evaluation_runs r WHERE r.try_id = t.id);
  IF known.open >= given.max_open THEN
    RETURN QUERY SELECT 'too_many', known.open,
      GREATEST(1, ceil(EXTRACT(epoch FROM known.soonest - clock_timestamp())))::int, 0::bigint;
    RETURN;
  END IF;
  granted := LEAST(given.max_seconds, given.account_seconds - known.seconds);
  IF granted < given.least_seconds THEN
    RETURN QUERY SELECT 'no_time', known.seconds, GREATEST(1, ceil(EXTRACT(
      epoch FROM known.oldest + given.window_seconds * interval '1 second' - clock_timestamp())))::int, 0::bigint;
    RETURN;
  END IF;
  SELECT w.balance_micros
    - COALESCE((SELECT sum(c.hold_micros) FROM calls c WHERE c.account_id = w.account_id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL), 0)
    - COALESCE((SELECT sum(t.hold_micros) FROM agent_tries t WHERE t.account_id = w.account_id AND t.ended_at IS NULL), 0)
  INTO available FROM wallets w WHERE w.account_id = given.account_id;
  IF available < given.hold_micros THEN
    RETURN QUERY SELECT 'insufficient_funds', 0, 0, available;
    RETURN;
  END IF;
  INSERT INTO agent_tries (id, account_id, agent_id, agent_version, driver, variables, needs, rates, hold_micros,
    reservation_id, created_at, expires_at)
  VALUES (given.id, given.account_id, given.agent_id, given.agent_version, given.driver, given.variables, given.needs,
    given.rates, given.hold_micros, given.reservation_id, clock_timestamp(),
    clock_timestamp() + granted * interval '1 second');
  RETURN QUERY SELECT 'begun', known.open + 1, 0, available;
END $$;
