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
