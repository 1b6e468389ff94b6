-- Tries by microphone. Only adds: the version before runs on it unchanged, and begins tries in text alone.

-- AlterTable
ALTER TABLE "agent_tries" ADD COLUMN "medium" TEXT NOT NULL DEFAULT 'text',
ADD COLUMN "user_id" UUID;

-- Functions -------------------------------------------------------------------------------------------------------

-- Begins a try of an agent, within the bounds of its account. Input: {id, account_id, agent_id, agent_version, driver,
-- medium, user_id, variables, needs, rates, hold_micros, reservation_id, max_open, max_seconds, least_seconds,
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
    id uuid, account_id uuid, agent_id uuid, agent_version int, driver text, medium text, user_id uuid,
    variables jsonb, needs jsonb, rates jsonb, hold_micros bigint, reservation_id uuid, max_open int, max_seconds int,
    least_seconds int, account_seconds int, window_seconds int);
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
  available := available_for_tries(given.account_id);
  IF available < given.hold_micros THEN
    RETURN QUERY SELECT 'insufficient_funds', 0, 0, available;
    RETURN;
  END IF;
  INSERT INTO agent_tries (id, account_id, agent_id, agent_version, driver, medium, user_id, variables, needs, rates,
    hold_micros, reservation_id, created_at, expires_at)
  -- The version before names no medium.
  VALUES (given.id, given.account_id, given.agent_id, given.agent_version, given.driver, COALESCE(given.medium, 'text'),
    given.user_id, given.variables, given.needs, given.rates, given.hold_micros, given.reservation_id, clock_timestamp(),
    clock_timestamp() + granted * interval '1 second');
  RETURN QUERY SELECT 'begun', known.open + 1, 0, available;
END $$;
