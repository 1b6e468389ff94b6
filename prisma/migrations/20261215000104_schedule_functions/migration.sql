-- Makes calls of reserved requests. Input: a JSON array of rows; output: one outcome per row. JSON rather than jsonb: the
-- variables and the metadata of a call keep the text in which the client sent them.
--
-- It takes the gate's advisory lock (731) before it reads anything. A VOLATILE function takes a new snapshot for each of
-- its statements, so the statement after the lock sees what was committed during the wait; in one plain statement, the
-- snapshot would be older than the wait. One round trip also means that a stopped client never holds the lock.
--
-- Its plans are made once a session, perhaps while a table is small: the settings leave only the index. Compiling (jit)
-- takes a hundred times as long as running.
CREATE OR REPLACE FUNCTION accept_calls(batch json)
RETURNS TABLE (call_id uuid, reservation_id uuid, outcome text, created_at timestamptz, expires_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid, agent_id uuid, agent_version int, caller_number text, callee_number text,
      currency text, rate_prefix text, connection_fee_micros bigint, price_per_minute_micros bigint,
      initial_increment_seconds int, increment_seconds int, reservation_id uuid, hold_micros bigint,
      generation bigint, timeline text, max_duration_seconds int, ring_timeout_seconds int,
      variables json, metadata json, idempotency_key text, body_digest text, request_id text, queue_ttl_seconds int,
      -- Only calls that models conduct have it.
      conducted json,
      -- Only calls whose request named one have it; the previous version sends none.
      webhook_url text,
      -- Only calls with retries have it: {give_up_at_ms, retry}.
      schedule json)
    -- OFFSET 0 keeps it a look-up for each row.
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
      hold_micros, max_duration_seconds, ring_timeout_seconds, variables, metadata, idempotency_key, body_digest,
      request_id, created_at, expires_at, webhook_url)
    SELECT
      i.id, i.account_id, i.agent_id, i.agent_version, i.caller_number, i.callee_number, i.currency, i.rate_prefix,
      i.connection_fee_micros, i.price_per_minute_micros, i.initial_increment_seconds, i.increment_seconds,
      i.reservation_id, i.hold_micros, i.max_duration_seconds, i.ring_timeout_seconds, i.variables, i.metadata,
      i.idempotency_key, decode(i.body_digest, 'hex'), i.request_id, t.now,
      LEAST(t.now + make_interval(secs => i.queue_ttl_seconds), from_epoch_ms((i.schedule->>'give_up_at_ms')::bigint)),
      i.webhook_url
    FROM input i, LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
    WHERE i.is_current AND NOT i.is_void
    -- One order for everybody: two batches that share ids must not wait for each other.
    ORDER BY i.id
    ON CONFLICT DO NOTHING
    RETURNING calls.id, calls.reservation_id, calls.created_at, calls.expires_at
  ), used AS (
    -- No ON CONFLICT: a void row that was committed meanwhile must fail this row, not pass unnoticed.
    INSERT INTO reservations (id, state) SELECT n.reservation_id, 'used' FROM inserted n ORDER BY 1
  ), conducted AS (
    INSERT INTO model_calls (call_id, driver, needs, rates, estimate_micros_per_minute)
    SELECT n.id, i.conducted->>'driver', (i.conducted->'models')::jsonb, (i.conducted->'rates')::jsonb,
      (i.conducted->>'estimate_micros_per_minute')::bigint
    FROM inserted n JOIN input i ON i.id = n.id AND i.reservation_id = n.reservation_id
    WHERE i.conducted IS NOT NULL ORDER BY n.id
  ), planned AS (
    INSERT INTO call_schedules (call_id, account_id, give_up_at, due_at, is_waiting, queue_ttl_seconds, retry)
    SELECT n.id, i.account_id, from_epoch_ms((i.schedule->>'give_up_at_ms')::bigint), n.created_at, false,
      i.queue_ttl_seconds, (i.schedule->'retry')::jsonb
    FROM inserted n JOIN input i ON i.id = n.id AND i.reservation_id = n.reservation_id
    WHERE i.schedule IS NOT NULL ORDER BY n.id
  ), events AS (
    INSERT INTO call_events (call_id, at, type) SELECT n.id, n.created_at, 'queued' FROM inserted n
  )
  SELECT i.id, i.reservation_id,
    CASE
      WHEN NOT i.is_current THEN 'gate_stale'
      WHEN i.is_void THEN 'voided'
      WHEN n.id IS NULL THEN 'call_exists'
      ELSE 'accepted'
    END,
    n.created_at, n.expires_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id AND n.reservation_id = i.reservation_id;
END $$;

-- Stores larger holds that the gate has granted. Input: [{id, epoch, hold_micros, generation, timeline}].
-- For the lock and the settings, see accept-calls.sql.
CREATE OR REPLACE FUNCTION enlarge_holds(batch jsonb) RETURNS TABLE (call_id uuid, outcome text)
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM jsonb_to_recordset(batch) AS r(id uuid, epoch int, hold_micros bigint, generation bigint, timeline text)
  ), locked AS (
    SELECT c.id, c.hold_micros AS before_micros
    FROM calls c JOIN input i ON c.id = i.id ORDER BY c.id FOR NO KEY UPDATE OF c
  ), written AS (
    UPDATE calls c SET hold_micros = GREATEST(c.hold_micros, i.hold_micros)
    FROM input i JOIN locked l ON l.id = i.id
    WHERE c.id = i.id AND c.epoch = i.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended') AND i.is_current
    RETURNING c.id, c.hold_micros, l.before_micros
  ), events AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT w.id, clock_timestamp(), 'hold_enlarged', jsonb_build_object('hold', w.hold_micros / 1e6::double precision)
    FROM written w WHERE w.hold_micros > w.before_micros
  )
  SELECT i.id, CASE WHEN NOT i.is_current THEN 'gate_stale' WHEN w.id IS NULL THEN 'fenced' ELSE 'enlarged' END
  FROM input i LEFT JOIN written w ON w.id = i.id;
END $$;

-- Makes scheduled calls findable by number and metadata, as the counting does for ended ones: there may be too many of them for
-- a search to scan. It inserts in one order, so that two statements with the same numbers do not wait for each other.
CREATE OR REPLACE FUNCTION add_scheduled_calls(ids uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO called_numbers (account_id, number)
  SELECT DISTINCT c.account_id, c.callee_number FROM calls c WHERE c.id = ANY (ids)
  ORDER BY c.account_id, c.callee_number
  ON CONFLICT DO NOTHING;

  INSERT INTO call_terms (account_id, value, created_at, call_id, key)
  SELECT c.account_id, m.value, c.created_at, c.id, m.key
  FROM calls c, LATERAL metadata_terms(c.metadata) m WHERE c.id = ANY (ids) AND m.value <> ''
  ORDER BY c.account_id, m.value, c.created_at, c.id, m.key
  ON CONFLICT DO NOTHING;
END $$;

-- Makes queued calls of scheduled ones that have a reservation. Input: a JSON array of rows; output: one outcome per row. For
-- the lock and the settings, see ../accept/accept-calls.sql.
--
-- It locks the calls before it asks for the time: the token of an admission counts until then, however long it waited. The
-- rate and the models are those of this moment.
CREATE OR REPLACE FUNCTION admit_calls(batch json)
RETURNS TABLE (call_id uuid, outcome text, late_ms double precision)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  PERFORM FROM (
    SELECT FROM calls c JOIN json_to_recordset(batch) AS r(id uuid) ON r.id = c.id ORDER BY c.id FOR NO KEY UPDATE OF c
  ) x;
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM json_to_recordset(batch) AS r(
      id uuid, admit_token uuid, reservation_id uuid, generation bigint, timeline text, hold_micros bigint, rate_prefix text,
      connection_fee_micros bigint, price_per_minute_micros bigint, initial_increment_seconds int, increment_seconds int,
      conducted json)
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), judged AS MATERIALIZED (
    SELECT i.*, s.due_at, t.now, LEAST(t.now + make_interval(secs => s.queue_ttl_seconds), s.give_up_at) AS expires_at,
      CASE
        WHEN NOT i.is_current THEN 'gate_stale'
        WHEN i.is_void THEN 'voided'
        WHEN c.status = 'scheduled' AND s.admit_token = i.admit_token AND s.admitting_until > t.now AND s.give_up_at > t.now
          THEN 'admitted'
        ELSE 'gone'
      END AS outcome
    FROM input i LEFT JOIN calls c ON c.id = i.id LEFT JOIN call_schedules s ON s.call_id = i.id,
      LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
  ), admitted AS (
    UPDATE calls c
    SET status = 'queued', reservation_id = j.reservation_id, hold_micros = j.hold_micros, rate_prefix = j.rate_prefix,
        connection_fee_micros = j.connection_fee_micros, price_per_minute_micros = j.price_per_minute_micros,
        initial_increment_seconds = j.initial_increment_seconds, increment_seconds = j.increment_seconds, queued_at = j.now,
        expires_at = j.expires_at
    FROM judged j WHERE c.id = j.id AND j.outcome = 'admitted'
    RETURNING c.id, c.queued_at, c.reservation_id
  ), schedules AS (
    UPDATE call_schedules s SET is_waiting = false, waiting_for = NULL, admit_token = NULL, admitting_until = NULL
    FROM admitted n WHERE s.call_id = n.id
  ), used AS (
    -- No ON CONFLICT: a void row that was committed meanwhile must fail this row, not pass unnoticed.
    INSERT INTO reservations (id, state) SELECT n.reservation_id, 'used' FROM admitted n ORDER BY 1
  ), conducted AS (
    INSERT INTO model_calls (call_id, driver, needs, rates, estimate_micros_per_minute)
    SELECT n.id, j.conducted->>'driver', (j.conducted->'models')::jsonb, (j.conducted->'rates')::jsonb,
      (j.conducted->>'estimate_micros_per_minute')::bigint
    FROM admitted n JOIN judged j ON j.id = n.id WHERE j.conducted IS NOT NULL ORDER BY n.id
  ), events AS (
    INSERT INTO call_events (call_id, at, type) SELECT n.id, n.queued_at, 'queued' FROM admitted n ORDER BY n.id
  )
  SELECT j.id, j.outcome, EXTRACT(epoch FROM j.now - j.due_at)::double precision * 1000 FROM judged j;
END $$;

-- Begins the turns of accounts that are due, the longest due first; none while dialing is paused, since an admitted call would
-- wait in the queue, with a slot and a hold, until its time there is over. For the settings, see ../accept/accept-calls.sql.
--
-- A turn raises the epoch of its account: whatever an earlier turn still does has no effect. It forgets the due times that
-- were written before it: what is scheduled from now on is written again, so that the turn's end misses nothing that its
-- statements could not see. What is due is read by a statement after this one: its snapshot has what the turn before
-- committed, and no account's row is locked while another account's calls are counted.
CREATE OR REPLACE FUNCTION begin_turns(worker text, most int) RETURNS TABLE (account_id uuid, epoch bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_ids uuid[];
  overdue uuid;
  moment timestamptz := clock_timestamp();
BEGIN
  IF (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1) THEN RETURN; END IF;
  found_ids := ARRAY(
    SELECT t.account_id FROM dial_turns t WHERE t.due_at <= moment AND t.held_until <= moment
    ORDER BY t.due_at LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  IF cardinality(found_ids) < most THEN
    -- An account that schedules one call after the other has its row locked nearly always: wait for the one that is late.
    BEGIN
      SELECT t.account_id INTO overdue FROM dial_turns t
      WHERE t.due_at <= moment - interval '500 milliseconds' AND t.held_until <= moment AND t.account_id <> ALL (found_ids)
      ORDER BY t.due_at LIMIT 1 FOR NO KEY UPDATE;
      IF FOUND THEN found_ids := found_ids || overdue; END IF;
    EXCEPTION WHEN lock_not_available THEN NULL;
    END;
  END IF;
  IF cardinality(found_ids) = 0 THEN RETURN; END IF;

  RETURN QUERY
  UPDATE dial_turns t
  SET epoch = t.epoch + 1, holder = worker, held_until = clock_timestamp() + interval '10 seconds',
      due_at = clock_timestamp() + interval '10 seconds', new_due = 'infinity'
  WHERE t.account_id = ANY (found_ids)
  RETURNING t.account_id, t.epoch;
END $$;

-- What the turns of these accounts may admit: slots that neither an open call nor a call of an earlier turn takes, the due
-- calls that no turn has, counted up to 200, and for how long the first of them may wait in the queue.
--
-- The moment is a variable: compared with a function that is asked for every row, no index would serve.
CREATE OR REPLACE FUNCTION due_calls_of(accounts uuid[])
RETURNS TABLE (account_id uuid, free_slots int, due_calls int, queue_ttl_seconds int)
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
  SELECT a.id,
    a.capacity
      - (SELECT count(*)::int FROM calls c WHERE c.account_id = a.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
      - (SELECT count(*)::int FROM call_schedules s
         WHERE s.account_id = a.id AND s.admitting_until > moment - interval '2 seconds'),
    (SELECT count(*)::int FROM (
       SELECT FROM call_schedules s
       WHERE s.account_id = a.id AND s.is_waiting AND s.due_at <= moment AND s.give_up_at > moment
         AND (s.admitting_until IS NULL OR s.admitting_until <= moment - interval '2 seconds')
       ORDER BY s.due_at LIMIT 200) x),
    COALESCE((SELECT s.queue_ttl_seconds FROM call_schedules s
      WHERE s.account_id = a.id AND s.is_waiting AND s.due_at <= moment ORDER BY s.due_at LIMIT 1), 0)
  FROM accounts a WHERE a.id = ANY (accounts) ORDER BY a.id;
END $$;

-- Adds calls to what is searched, in the statement that schedules them.
CREATE OR REPLACE FUNCTION note_scheduled_calls() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  ids uuid[] := ARRAY(SELECT s.call_id FROM new_schedules s WHERE s.is_waiting);
BEGIN
  -- Accepting and settling fire the trigger too, nearly always without a row.
  IF cardinality(ids) > 0 THEN PERFORM add_scheduled_calls(ids); END IF;
  RETURN NULL;
END $$;

-- Stores calls that are dialed later: with neither a reservation nor a hold. Input: a JSON array of rows; output: one outcome
-- per row. For the settings, see ../accept/accept-calls.sql. It asks nothing of the gate.
--
-- The arbiter stands in for the reservation of an accepted call: the first to insert it decides whether a late COMMIT makes a
-- call. The account's turn learns in the same statement when it is due.
CREATE OR REPLACE FUNCTION schedule_calls(batch json)
RETURNS TABLE (call_id uuid, arbiter_id uuid, outcome text, created_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid, agent_id uuid, agent_version int, caller_number text, callee_number text,
      currency text, rate_prefix text, connection_fee_micros bigint, price_per_minute_micros bigint,
      initial_increment_seconds int, increment_seconds int, arbiter_id uuid, max_duration_seconds int,
      ring_timeout_seconds int, variables json, metadata json, idempotency_key text, body_digest text, request_id text,
      queue_ttl_seconds int, webhook_url text, scheduled_for_ms bigint, give_up_at_ms bigint, waiting_for text, retry jsonb)
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.arbiter_id OFFSET 0) v ON true
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
      max_duration_seconds, ring_timeout_seconds, variables, metadata, idempotency_key, body_digest, request_id, created_at,
      expires_at, webhook_url)
    SELECT
      i.id, i.account_id, i.agent_id, i.agent_version, i.caller_number, i.callee_number, 'scheduled', i.currency,
      i.rate_prefix, i.connection_fee_micros, i.price_per_minute_micros, i.initial_increment_seconds, i.increment_seconds, 0,
      i.max_duration_seconds, i.ring_timeout_seconds, i.variables, i.metadata, i.idempotency_key,
      decode(i.body_digest, 'hex'), i.request_id, t.now, from_epoch_ms(i.give_up_at_ms), i.webhook_url
    FROM input i, LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
    WHERE NOT i.is_void
    ORDER BY i.id
    ON CONFLICT DO NOTHING
    RETURNING calls.id, calls.created_at
  ), used AS (
    -- No ON CONFLICT: a void row that was committed meanwhile must fail this row, not pass unnoticed.
    INSERT INTO reservations (id, state)
    SELECT i.arbiter_id, 'used' FROM inserted n JOIN input i ON i.id = n.id ORDER BY 1
  ), planned AS (
    INSERT INTO call_schedules (call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, waiting_for,
      queue_ttl_seconds, retry)
    SELECT n.id, i.account_id, from_epoch_ms(i.scheduled_for_ms), from_epoch_ms(i.give_up_at_ms),
      from_epoch_ms(i.scheduled_for_ms), true, i.waiting_for, i.queue_ttl_seconds, i.retry
    FROM inserted n JOIN input i ON i.id = n.id ORDER BY n.id
    RETURNING call_schedules.call_id, call_schedules.account_id, call_schedules.scheduled_for, call_schedules.waiting_for
  ), events AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT n.id, n.created_at, x.type, x.data
    FROM inserted n JOIN planned p ON p.call_id = n.id, LATERAL (
      VALUES (1, 'scheduled', jsonb_build_object('scheduled_for', iso_ms(p.scheduled_for)), true),
        -- That it waits for its time is said by the event before.
        (2, 'waiting', jsonb_build_object('for', p.waiting_for), p.waiting_for <> 'time')
    ) AS x(place, type, data, happened)
    WHERE x.happened ORDER BY n.id, x.place
  ), due AS (
    SELECT p.account_id, min(p.scheduled_for) AS at FROM planned p GROUP BY p.account_id ORDER BY p.account_id
  ), turns AS (
    INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
    SELECT d.account_id, d.at, d.at, '-infinity' FROM due d
    ON CONFLICT (account_id) DO UPDATE
      SET due_at = LEAST(t.due_at, excluded.due_at), new_due = LEAST(t.new_due, excluded.due_at)
      WHERE t.due_at > excluded.due_at OR t.new_due > excluded.due_at
  )
  SELECT i.id, i.arbiter_id,
    CASE WHEN i.is_void THEN 'voided' WHEN n.id IS NULL THEN 'call_exists' ELSE 'scheduled' END, n.created_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id;
END $$;

-- The id of the call that retries a call: a UUID of version 8 (RFC 9562 section 5.8). It is derived, so that a settlement that
-- is repeated after a failover makes the same call again, whose dial mark Redis may have.
CREATE OR REPLACE FUNCTION successor_call_id(call_id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT encode(set_byte(set_byte(d.bytes, 6, get_byte(d.bytes, 6) & 15 | 128), 8, get_byte(d.bytes, 8) & 63 | 128), 'hex')::uuid
  FROM (SELECT substring(sha256(convert_to('retry ' || call_id::text, 'UTF8')) FOR 16) AS bytes) d
$$;

-- Takes due calls of a turn, the longest due first. For the settings, see ../accept/accept-calls.sql.
--
-- It locks the calls before it asks whether the turn still lasts: the answer holds until it is committed. A call that another
-- statement ends meanwhile is skipped. Whoever took a call and has not admitted it has two seconds more than it thinks:
-- an admission may wait for a lock after it has asked for the time.
CREATE OR REPLACE FUNCTION take_due_calls(account uuid, turn bigint, most int)
RETURNS TABLE (call_id uuid, admit_token uuid, scheduled_for timestamptz, agent_id uuid, agent_version int, caller_number text,
  callee_number text, max_duration_seconds int, ring_timeout_seconds int, variables json, request_id text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_ids uuid[];
  moment timestamptz := clock_timestamp();
BEGIN
  found_ids := ARRAY(
    SELECT s.call_id FROM call_schedules s
    WHERE s.account_id = account AND s.is_waiting AND s.due_at <= moment AND s.give_up_at > moment
      AND (s.admitting_until IS NULL OR s.admitting_until <= moment - interval '2 seconds')
    ORDER BY s.due_at, s.call_id LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  PERFORM FROM dial_turns t
  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  RETURN QUERY
  WITH taken AS (
    UPDATE call_schedules s
    SET admit_token = gen_random_uuid(), admitting_until = clock_timestamp() + interval '10 seconds'
    WHERE s.call_id = ANY (found_ids)
    RETURNING s.call_id, s.admit_token, s.scheduled_for, s.due_at
  )
  SELECT c.id, t.admit_token, t.scheduled_for, c.agent_id, c.agent_version, c.caller_number, c.callee_number,
    c.max_duration_seconds, c.ring_timeout_seconds, c.variables, c.request_id
  FROM taken t JOIN calls c ON c.id = t.call_id ORDER BY t.due_at, c.id;
END $$;

-- A time as the interface writes it: RFC 3339 in UTC, with milliseconds.
CREATE OR REPLACE FUNCTION iso_ms(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Starts the counting again from the first call: for calls that were written without the trigger, as by a restored
-- backup. Waits for the calls that are ending, and lets none end until it is committed.
CREATE OR REPLACE FUNCTION recount_calls() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(732);
  LOCK TABLE calls IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM uncounted_calls;
  DELETE FROM call_totals;
  DELETE FROM call_subject_totals;
  DELETE FROM called_numbers;
  DELETE FROM call_terms;
  PERFORM add_scheduled_calls(ARRAY(SELECT s.call_id FROM call_schedules s WHERE s.is_waiting));
  UPDATE call_count_progress SET last_call_id = NULL, finished = false;
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

-- Stores which trunk a call goes to next, and its leg as it will be, before anything is sent to the trunk. Input:
-- [{id, epoch, number, carrier, trunk, dialog, generation, timeline}]. For the lock and the settings, see
-- ../accept/accept-calls.sql.
--
-- The gate has granted the channel. A channel that an earlier generation granted is rejected: the rebuild did not count
-- it. The new leg replaces the previous attempt's, by which an orphan's CANCEL would go to the wrong trunk. No attempt
-- begins while dialing is paused.
CREATE OR REPLACE FUNCTION begin_attempts(batch jsonb)
RETURNS TABLE (call_id uuid, outcome text, end_requested boolean)
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current,
      (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1) AS is_paused
    FROM jsonb_to_recordset(batch) AS r(
      id uuid, epoch int, number int, carrier text, trunk text, dialog jsonb, generation bigint, timeline text)
  ), locked AS MATERIALIZED (
    SELECT c.id, c.end_requested_at FROM calls c JOIN input i ON c.id = i.id
    WHERE c.epoch = i.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended') AND i.is_current
    ORDER BY c.id FOR NO KEY UPDATE OF c
  ), begun AS (
    INSERT INTO call_attempts (call_id, number, trunk, epoch, begun_at)
    SELECT i.id, i.number, i.trunk, i.epoch, clock_timestamp() FROM input i JOIN locked l ON l.id = i.id
    WHERE NOT i.is_paused
    ON CONFLICT DO NOTHING RETURNING call_attempts.call_id
  ), written AS (
    UPDATE calls c SET carrier = i.carrier, dialog = i.dialog
    FROM input i JOIN begun b ON b.call_id = i.id WHERE c.id = i.id
  )
  SELECT i.id,
    CASE
      WHEN NOT i.is_current THEN 'gate_stale'
      WHEN l.id IS NULL THEN 'fenced'
      WHEN i.is_paused THEN 'paused'
      ELSE 'written'
    END,
    COALESCE(l.end_requested_at IS NOT NULL, false)
  FROM input i LEFT JOIN locked l ON l.id = i.id;
END $$;

-- The webhook that an event of a timeline becomes; null: none is sent. Repeats WEBHOOK_TYPE_OF_EVENT of the contracts.
CREATE OR REPLACE FUNCTION webhook_type(event_type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE event_type
    WHEN 'scheduled' THEN 'call.scheduled'
    WHEN 'queued' THEN 'call.queued'
    WHEN 'dialing' THEN 'call.dialing'
    WHEN 'ringing' THEN 'call.ringing'
    WHEN 'in_progress' THEN 'call.answered'
    WHEN 'ended' THEN 'call.ended'
    WHEN 'answered_by' THEN 'call.answered_by'
    WHEN 'recording_available' THEN 'call.recording_ready'
    WHEN 'analyzed' THEN 'call.analyzed'
  END
$$;

-- What is counted of an ended call. Half hours begin on the hour and the half hour of UTC, and so in nearly every time
-- zone. A call that was never dialed waited until it ended; one that was scheduled waits from its admission on.
CREATE OR REPLACE VIEW "ended_call_facts" AS
SELECT c.id, c.account_id, c.agent_id, c.caller_number, c.callee_number, c.metadata, c.created_at, c.ended_reason,
  to_timestamp(floor(extract(epoch FROM c.ended_at) / 1800) * 1800)::timestamptz(3) AS starts_at,
  (c.answered_at IS NOT NULL)::int AS answered, c.cost_micros,
  round(GREATEST(0, CASE WHEN c.reservation_id IS NOT NULL
    THEN extract(epoch FROM c.started_at - COALESCE(c.queued_at, c.created_at)) END) * 1000)::bigint AS waiting_ms,
  round(extract(epoch FROM COALESCE(c.answered_at, c.ended_at) - c.started_at) * 1000)::bigint AS ringing_ms,
  round(extract(epoch FROM c.ended_at - COALESCE(c.answered_at, c.ended_at)) * 1000)::bigint AS talking_ms
FROM calls c WHERE c.status = 'ended';

-- Every path that schedules a call fires it: a request, and the settlement that schedules a retry.
CREATE OR REPLACE TRIGGER call_schedules_noted AFTER INSERT ON call_schedules
  REFERENCING NEW TABLE AS new_schedules FOR EACH STATEMENT EXECUTE FUNCTION note_scheduled_calls();
