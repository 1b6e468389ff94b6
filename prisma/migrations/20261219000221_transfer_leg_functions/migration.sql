-- What is held for the second legs of a call, beside its own hold.
CREATE OR REPLACE FUNCTION transfer_hold_of(call uuid) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT COALESCE(sum(t.hold_micros), 0)::bigint FROM transfer_legs t WHERE t.call_id = call AND t.settled_at IS NULL;
$$;

-- What the turns of these accounts may admit, by lane: single calls (no campaign), and each running campaign. Slots are those that
-- neither an open call nor a call of an earlier turn takes; of them, campaigns may have one at least. Due calls are counted up to
-- 200, and contacts without a call as far as a turn may stock them: 20 campaigns of an account delay no other account's turn. Up to the last
-- upload that is ready all contacts are those of ready ones, since none begins beside another, or beside what a failed one has left: so
-- neither a file that is being received is read, nor thousands of small uploads.
--
-- The moment is a variable: compared with a function that is asked for every row, no index would serve.
CREATE OR REPLACE FUNCTION lanes_of(accounts uuid[])
RETURNS TABLE (account_id uuid, campaign_id uuid, agent_id uuid, agent_version int, free_slots int, campaign_slots int, due_calls int, queue_ttl_seconds int,
  contacts_left int, open_calls int, queued_calls int, admitting_calls int, max_concurrent int, weight int, deficit double precision,
  pace_calls int, calls_per_second double precision, budget_left_micros bigint, calling_window jsonb)
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
  WITH held AS MATERIALIZED (
    SELECT c.account_id, c.campaign_id, count(*)::int AS calls,
      count(*) FILTER (WHERE c.status = 'queued')::int AS queued, sum(c.hold_micros + CASE WHEN c.campaign_id IS NULL THEN 0 ELSE transfer_hold_of(c.id) END)::bigint AS hold_micros
    FROM calls c WHERE c.account_id = ANY (accounts) AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL
    GROUP BY c.account_id, c.campaign_id
  ), admitting AS MATERIALIZED (
    SELECT s.account_id, s.campaign_id, count(*)::int AS calls
    FROM call_schedules s WHERE s.account_id = ANY (accounts) AND s.admitting_until > moment - interval '2 seconds'
    GROUP BY s.account_id, s.campaign_id
  ), used AS MATERIALIZED (
    SELECT u.account_id, sum(u.calls)::int AS calls, COALESCE(sum(u.calls) FILTER (WHERE u.campaign_id IS NOT NULL), 0)::int AS of_campaigns
    FROM (SELECT h.account_id, h.campaign_id, h.calls FROM held h UNION ALL SELECT m.account_id, m.campaign_id, m.calls FROM admitting m) u
    GROUP BY u.account_id
  ), slots AS MATERIALIZED (
    SELECT a.id AS account_id, a.capacity - COALESCE(u.calls, 0) AS free,
      GREATEST(1, a.capacity * a.campaign_percent / 100) - COALESCE(u.of_campaigns, 0) AS of_campaigns
    FROM accounts a LEFT JOIN used u ON u.account_id = a.id WHERE a.id = ANY (accounts)
  ), lanes AS (
    SELECT s.account_id, NULL::uuid AS campaign_id FROM slots s
    UNION ALL
    SELECT g.account_id, g.id FROM campaigns g WHERE g.account_id = ANY (accounts) AND g.state = 'running'
  )
  SELECT l.account_id, l.campaign_id, g.agent_id, g.agent_version, s.free, s.of_campaigns, d.calls, COALESCE(d.queue_ttl_seconds, 0),
    COALESCE(k.contacts, 0), COALESCE(h.calls, 0), COALESCE(h.queued, 0), COALESCE(m.calls, 0), g.max_concurrent,
    COALESCE(g.weight, 0), COALESCE(n.deficit, 0),
    -- As in take_lane_calls, which asks again. Without a pace it is null: LEAST and GREATEST would skip the nulls.
    CASE WHEN g.calls_per_second IS NOT NULL THEN floor(LEAST(GREATEST(g.calls_per_second, 1), n.pace_tokens
      + g.calls_per_second::double precision * GREATEST(0, EXTRACT(epoch FROM moment - n.pace_at))))::int END,
    g.calls_per_second::double precision,
    g.budget_micros - COALESCE(h.hold_micros, 0)
      - COALESCE((SELECT sum(x.cost_micros) FROM campaign_counts x WHERE x.campaign_id = l.campaign_id), 0)::bigint,
    g.window
  FROM lanes l
    JOIN slots s ON s.account_id = l.account_id
    LEFT JOIN campaigns g ON g.id = l.campaign_id
    LEFT JOIN campaign_lanes n ON n.campaign_id = l.campaign_id
    LEFT JOIN held h ON h.account_id = l.account_id AND h.campaign_id IS NOT DISTINCT FROM l.campaign_id
    LEFT JOIN admitting m ON m.account_id = l.account_id AND m.campaign_id IS NOT DISTINCT FROM l.campaign_id,
    LATERAL (
      SELECT count(*)::int AS calls, min(x.queue_ttl_seconds) AS queue_ttl_seconds FROM (
        SELECT w.queue_ttl_seconds FROM call_schedules w
        WHERE w.account_id = l.account_id AND COALESCE(w.campaign_id, w.account_id) = COALESCE(l.campaign_id, l.account_id)
          AND w.is_waiting
          AND w.due_at <= moment AND w.give_up_at > moment
          AND (w.admitting_until IS NULL OR w.admitting_until <= moment - interval '2 seconds')
        ORDER BY w.due_at LIMIT 200) x
    ) d,
    LATERAL (
      SELECT count(*)::int AS contacts FROM (
        SELECT FROM campaign_contacts t
        WHERE t.campaign_id = l.campaign_id AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line)
          AND t.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = l.campaign_id AND r.state = 'ready')
        ORDER BY t.upload, t.line LIMIT GREATEST(1, 400 - d.calls)) y
    ) k
  ORDER BY l.account_id, l.campaign_id NULLS FIRST;
END $$;

-- Notes a call in the statement that ends it, so that each call is counted once. It only inserts: a total would be a row
-- that workers wait for. It also deletes what was said in the call, whose transcript takes the place: a statement of this
-- function sees the turns of a renewal that was in flight, which the statement that ends the call began too early to see.
-- The previous version knows no second legs. One that it leaves behind is settled here, at no cost, so that its hold is free.
CREATE OR REPLACE FUNCTION note_ended_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uncounted_calls (account_id, call_id) VALUES (NEW.account_id, NEW.id) ON CONFLICT DO NOTHING;
  IF NEW.answered_at IS NOT NULL THEN
    DELETE FROM call_turns WHERE call_id = NEW.id;
    UPDATE transfer_legs t SET ended_at = COALESCE(t.ended_at, GREATEST(NEW.ended_at, t.begun_at, t.answered_at)),
      outcome = 'lost', settled_at = clock_timestamp()
    WHERE t.call_id = NEW.id AND t.settled_at IS NULL;
  END IF;
  RETURN NULL;
END $$;

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

-- Stores a larger hold of a second leg that the gate has granted. Input: {id, call_id, epoch, hold_micros, generation,
-- timeline}. For the lock and the settings, see ../accept/accept-calls.sql.
CREATE OR REPLACE FUNCTION enlarge_transfer_hold(input jsonb) RETURNS TABLE (outcome text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  is_current boolean;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, call_id uuid, epoch int, hold_micros bigint, generation bigint, timeline text);
  PERFORM FROM calls c
  WHERE c.id = given.call_id AND c.epoch = given.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended')
  FOR NO KEY UPDATE OF c;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'fenced';
    RETURN;
  END IF;
  SELECT g.generation = given.generation AND given.timeline = postgres_timeline() INTO is_current FROM gate g WHERE g.id = 1;
  IF NOT is_current THEN
    RETURN QUERY SELECT 'gate_stale';
    RETURN;
  END IF;
  UPDATE transfer_legs t SET hold_micros = GREATEST(t.hold_micros, given.hold_micros)
  WHERE t.id = given.id AND t.settled_at IS NULL;
  RETURN QUERY SELECT CASE WHEN FOUND THEN 'enlarged' ELSE 'fenced' END;
END $$;

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
  -- A try that is open counts with all the time that it may take.
  SELECT count(*) FILTER (WHERE t.ended_at IS NULL)::int AS open,
    COALESCE(ceil(sum(EXTRACT(epoch FROM COALESCE(t.ended_at, t.expires_at) - t.created_at))), 0)::int AS seconds,
    min(t.created_at) AS oldest, min(t.expires_at) FILTER (WHERE t.ended_at IS NULL) AS soonest
  INTO known FROM agent_tries t
  WHERE t.account_id = given.account_id
    AND (t.ended_at IS NULL OR t.created_at > clock_timestamp() - given.window_seconds * interval '1 second');
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
    - COALESCE((SELECT sum(c.hold_micros + transfer_hold_of(c.id)) FROM calls c WHERE c.account_id = w.account_id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL), 0)
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
