-- What an account has, without what its open calls, with their second legs, and its tries may still cost.
CREATE OR REPLACE FUNCTION available_for_tries(account uuid) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT w.balance_micros
    - COALESCE((SELECT sum(c.hold_micros + transfer_hold_of(c.id)) FROM calls c
                WHERE c.account_id = w.account_id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL), 0)::bigint
    - COALESCE((SELECT sum(t.hold_micros) FROM agent_tries t
                WHERE t.account_id = w.account_id AND t.ended_at IS NULL), 0)::bigint
  FROM wallets w WHERE w.account_id = account
$$;

-- Deletes those of an account's calls `ids` that ended before a moment, with everything that belongs to them except for the ledger,
-- and returns how many. A call that is open, or that something still waits for, stays: its analysis, the totals, its campaign.
--
-- The key of a request stays behind for `key_days`, with the call as it ended, without what was said: a repeat of the request gets
-- the same answer, and is not dialed.
CREATE OR REPLACE FUNCTION delete_old_calls(account uuid, ids uuid[], ended_before timestamptz, key_days int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
  due uuid[];
  numbers text[];
  kept calls;
BEGIN
  -- While old calls are counted into the totals, nothing says which ones were.
  IF NOT (SELECT p.finished FROM call_count_progress p WHERE p.id = 1) THEN
    RETURN 0;
  END IF;
  SELECT array_agg(d.id), array_agg(DISTINCT d.callee_number) INTO due, numbers FROM (
    SELECT c.id, c.callee_number FROM calls c
    WHERE c.id = ANY (ids) AND c.account_id = account AND c.status = 'ended' AND c.ended_at < ended_before
      AND is_call_done(c.id, c.account_id, c.campaign_id)
    ORDER BY c.id FOR UPDATE OF c SKIP LOCKED
  ) d;
  IF due IS NULL THEN
    RETURN 0;
  END IF;
  FOR kept IN SELECT c.* FROM calls c WHERE c.id = ANY (due) AND c.body_digest IS NOT NULL LOOP
    kept.transcript := NULL;
    kept.summary := NULL;
    kept.review_note := NULL;
    kept.recording_key := NULL;
    kept.recording_pending := false;
    kept.dialog := NULL;
    INSERT INTO deleted_call_keys (call_id, account_id, body_digest, call, expires_at)
    VALUES (kept.id, kept.account_id, kept.body_digest, row_to_json(kept), clock_timestamp() + make_interval(days => key_days))
    ON CONFLICT (call_id) DO UPDATE SET
      body_digest = excluded.body_digest, call = excluded.call, expires_at = excluded.expires_at;
  END LOOP;
  DELETE FROM call_terms t USING calls c, LATERAL metadata_terms(c.metadata) m
  WHERE c.id = ANY (due) AND t.account_id = account AND t.value = m.value AND t.created_at = c.created_at
    AND t.call_id = c.id AND t.key = m.key;
  DELETE FROM reservations r USING calls c WHERE c.id = ANY (due) AND r.id = c.reservation_id;
  DELETE FROM reservations r USING transfer_legs t WHERE t.call_id = ANY (due) AND r.id = t.reservation_id;
  DELETE FROM call_events e WHERE e.call_id = ANY (due);
  DELETE FROM calls c WHERE c.id = ANY (due);
  UPDATE retention_rounds SET calls_deleted_at = clock_timestamp() WHERE id = 1;
  -- Not while a call to one of these numbers is counted, which would find the number here.
  PERFORM pg_advisory_xact_lock(732);
  DELETE FROM called_numbers n
  WHERE n.account_id = account AND n.number = ANY (numbers)
    AND NOT EXISTS (SELECT FROM calls c WHERE c.account_id = n.account_id AND c.callee_number = n.number);
  RETURN cardinality(due);
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
  available := available_for_tries(given.account_id);
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
