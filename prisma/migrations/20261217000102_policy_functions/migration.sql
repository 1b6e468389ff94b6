-- The calling policies that bind an account: its own, and the operator's floor. No row: any hour, however often. Postgres inlines
-- it, so that it reads the snapshot of the statement that asks.
--
-- OFFSET 0 keeps it a look-up of the version in force: earlier versions are neither read nor judged.
CREATE OR REPLACE FUNCTION policies_of(account uuid)
RETURNS TABLE (settings jsonb, is_floor boolean) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT p.settings, false
  FROM accounts a, LATERAL (
    SELECT v.settings FROM calling_policies v WHERE v.account_id = a.id AND v.version = a.policy_version OFFSET 0
  ) p
  WHERE a.id = account AND a.policy_version > 0
  UNION ALL
  SELECT s.policy_floor, true FROM system_settings s WHERE s.id = 1 AND s.policy_floor IS NOT NULL
$$;

-- The caps that a number has reached, and when each lets another dial through. `own` is the entry of the call that asks, which
-- does not count. A period ends with the dial: the cap is over once its oldest dial that counts is as old as the period.
CREATE OR REPLACE FUNCTION caps_reached(account uuid, callee text, moment timestamptz, own timestamptz)
RETURNS TABLE (until timestamptz) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT x.at + make_interval(hours => (c->>'hours')::int)
  FROM policies_of(account) p, jsonb_array_elements(p.settings->'caps') c, LATERAL (
    SELECT d.at FROM dial_counts k, unnest(k.dialed_at) WITH ORDINALITY d(at, place)
    WHERE k.account_id = account AND k.number = substr(callee, 2)::bigint
      AND d.at > moment - make_interval(hours => (c->>'hours')::int)
      -- Another call's entry may be of the same millisecond.
      AND d.place IS DISTINCT FROM array_position(k.dialed_at, own)
    ORDER BY d.at DESC OFFSET (c->>'max')::int - 1 LIMIT 1
  ) x
$$;

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
DECLARE
  moment timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  moment := clock_timestamp();
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      EXISTS (SELECT FROM suppressions_of(r.account_id, r.callee_number)) AS is_suppressed,
      EXISTS (SELECT FROM caps_reached(r.account_id, r.callee_number, moment, NULL)) AS is_capped,
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
      schedule json,
      -- Where the callee may be; the previous version sends none.
      callee_zones text[], callee_regions text[], callee_time_zone text)
    -- OFFSET 0 keeps it a look-up for each row.
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
      hold_micros, max_duration_seconds, ring_timeout_seconds, variables, metadata, idempotency_key, body_digest,
      request_id, created_at, expires_at, webhook_url, callee_zones, callee_regions, callee_time_zone)
    SELECT
      i.id, i.account_id, i.agent_id, i.agent_version, i.caller_number, i.callee_number, i.currency, i.rate_prefix,
      i.connection_fee_micros, i.price_per_minute_micros, i.initial_increment_seconds, i.increment_seconds,
      i.reservation_id, i.hold_micros, i.max_duration_seconds, i.ring_timeout_seconds, i.variables, i.metadata,
      i.idempotency_key, decode(i.body_digest, 'hex'), i.request_id, t.now,
      LEAST(t.now + make_interval(secs => i.queue_ttl_seconds), from_epoch_ms((i.schedule->>'give_up_at_ms')::bigint)),
      i.webhook_url, i.callee_zones, i.callee_regions, i.callee_time_zone
    FROM input i, LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
    WHERE i.is_current AND NOT i.is_void AND NOT i.is_suppressed AND NOT i.is_capped
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
      -- A request that is repeated learns of its call, whatever became of the number since.
      WHEN (i.is_suppressed OR i.is_capped) AND NOT EXISTS (SELECT FROM calls c WHERE c.id = i.id OFFSET 0)
        THEN CASE WHEN i.is_suppressed THEN 'suppressed' ELSE 'frequency_capped' END
      WHEN n.id IS NULL THEN 'call_exists'
      ELSE 'accepted'
    END,
    n.created_at, n.expires_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id AND n.reservation_id = i.reservation_id;
END $$;

-- Whether a policy forbids to dial at this moment somebody who may be in any of these time zones: the local clock of one of them is
-- outside the times of a row that applies, or its date is a closed day. Nobody knows where a number without a zone is, so any
-- rule about hours closes it.
--
-- A row applies everywhere (`default`), in its country or region, or in any region of its country where `US-*` says that the
-- region is not known. `packages/policies` says the same in TypeScript, and a test compares the two.
--
-- A claim asks it of each call. So it has expressions, which plpgsql evaluates by itself, and nearly no query.
CREATE OR REPLACE FUNCTION is_window_closed(settings jsonb, zones text[], regions text[], moment timestamptz)
RETURNS boolean LANGUAGE plpgsql STABLE PARALLEL SAFE
AS $$
DECLARE
  windows jsonb := settings->'windows';
  closed_days jsonb := settings->'closed_days';
  row_keys text[] := array_append(regions, 'default');
  zone text;
  here timestamp;
  seen timestamp[] := '{}';
  clock text;
  today text;
  row_key text;
  times jsonb;
  is_open boolean;
BEGIN
  IF windows = '{}' AND closed_days = '[]' THEN RETURN false; END IF;
  IF COALESCE(cardinality(zones), 0) = 0 THEN RETURN true; END IF;
  IF array_to_string(regions, ' ') LIKE '%-*%' THEN
    row_keys := row_keys || ARRAY(
      SELECT k FROM jsonb_object_keys(windows) k WHERE split_part(k, '-', 1) || '-*' = ANY (regions));
  END IF;
  FOREACH zone IN ARRAY zones LOOP
    here := moment AT TIME ZONE zone;
    -- Most of a country's zones keep the same clock.
    CONTINUE WHEN here = ANY (seen);
    seen := seen || here;
    IF closed_days ? to_char(here, 'YYYY-MM-DD') THEN RETURN true; END IF;
    clock := to_char(here, 'HH24:MI');
    today := to_char(here, 'dy');
    FOREACH row_key IN ARRAY row_keys LOOP
      CONTINUE WHEN NOT windows ? row_key;
      times := windows->row_key->today;
      is_open := false;
      FOR nth IN 0 .. COALESCE(jsonb_array_length(times), 0) - 1 LOOP
        is_open := is_open
          OR clock >= left(times->>nth, 5) COLLATE "C" AND clock < right(times->>nth, 5) COLLATE "C";
      END LOOP;
      IF NOT is_open THEN RETURN true; END IF;
    END LOOP;
  END LOOP;
  RETURN false;
END $$;

-- The policies that forbid an account to dial a callee at this moment. `given` is the time zone that the request named: it is asked
-- besides those of the number, or alone if every policy trusts it.
CREATE OR REPLACE FUNCTION closed_windows_of(account uuid, zones text[], regions text[], given text, moment timestamptz)
RETURNS TABLE (is_floor boolean) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT p.is_floor FROM policies_of(account) p
  WHERE is_window_closed(p.settings,
    CASE
      WHEN given IS NULL THEN zones
      WHEN (SELECT bool_and((q.settings->>'trust_given_zone')::boolean) FROM policies_of(account) q) THEN ARRAY[given]
      -- Where the zones of the number were never looked up, they stay unknown.
      WHEN zones IS NOT NULL THEN zones || given
    END, regions, moment)
$$;

-- Gives a new account the default policy. Without rules it is left at version 0, which no dial asks about.
CREATE OR REPLACE FUNCTION give_default_policy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  settings jsonb := (SELECT s.default_policy FROM system_settings s WHERE s.id = 1);
BEGIN
  IF settings IS NULL OR settings->'windows' = '{}' AND settings->'closed_days' = '[]' AND settings->'caps' = '[]' THEN
    RETURN NULL;
  END IF;
  INSERT INTO calling_policies (account_id, version, settings, saved_by) VALUES (NEW.id, 1, settings, 'default');
  UPDATE accounts a SET policy_version = 1 WHERE a.id = NEW.id;
  RETURN NULL;
END $$;

-- Counts a dial to a number, unless one of the account's caps is reached: then it answers false, and counts nothing. `own` is the
-- entry that the call has already, which moves to this moment.
--
-- It locks the number's row before it asks, and each of its statements reads what was committed before: two workers share one
-- count. Whoever asks for several calls asks in the order of account and number.
CREATE OR REPLACE FUNCTION grant_dial(account uuid, callee text, own timestamptz, moment timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE SET enable_seqscan = off
AS $$
DECLARE
  callee_digits bigint := substr(callee, 2)::bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM policies_of(account) p WHERE p.settings->'caps' <> '[]') THEN RETURN true; END IF;
  LOOP
    -- Most numbers have no row. A cap allows one dial at least.
    INSERT INTO dial_counts (account_id, number, dialed_at) VALUES (account, callee_digits, ARRAY[moment])
    ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN true; END IF;
    PERFORM FROM dial_counts k WHERE k.account_id = account AND k.number = callee_digits FOR NO KEY UPDATE;
    -- It may have been swept.
    EXIT WHEN FOUND;
  END LOOP;
  IF EXISTS (SELECT FROM caps_reached(account, callee, moment, own)) THEN RETURN false; END IF;
  -- As many as the largest cap counts, for as long as the longest period.
  UPDATE dial_counts k
  SET dialed_at = ARRAY(
    SELECT x.at FROM (
      SELECT d.at FROM unnest(k.dialed_at) WITH ORDINALITY d(at, place)
      WHERE d.at > moment - interval '720 hours' AND d.place IS DISTINCT FROM array_position(k.dialed_at, own)
      ORDER BY d.at DESC LIMIT 49) x
    ORDER BY x.at) || moment
  WHERE k.account_id = account AND k.number = callee_digits;
  RETURN true;
END $$;

-- Rejects a change of a calling policy: the rules by which a call was dialed stay known.
CREATE OR REPLACE FUNCTION keep_policy_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a calling policy never changes: save another one';
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
      conducted json,
      -- Where the callee may be, as far as it is known now; the previous version sends none.
      callee_zones text[], callee_regions text[])
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), judged AS MATERIALIZED (
    SELECT i.*, s.due_at, t.now, LEAST(t.now + make_interval(secs => s.queue_ttl_seconds), s.give_up_at) AS expires_at,
      CASE
        WHEN NOT i.is_current THEN 'gate_stale'
        WHEN i.is_void THEN 'voided'
        WHEN c.status = 'scheduled' AND s.admit_token = i.admit_token AND s.admitting_until > t.now AND s.give_up_at > t.now
          THEN CASE
            WHEN EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number)) THEN 'suppressed'
            WHEN EXISTS (SELECT FROM caps_reached(c.account_id, c.callee_number, t.now, NULL)) THEN 'frequency_capped'
            ELSE 'admitted'
          END
        ELSE 'gone'
      END AS outcome
    FROM input i LEFT JOIN calls c ON c.id = i.id LEFT JOIN call_schedules s ON s.call_id = i.id,
      LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
  ), admitted AS (
    UPDATE calls c
    SET status = 'queued', reservation_id = j.reservation_id, hold_micros = j.hold_micros, rate_prefix = j.rate_prefix,
        connection_fee_micros = j.connection_fee_micros, price_per_minute_micros = j.price_per_minute_micros,
        initial_increment_seconds = j.initial_increment_seconds, increment_seconds = j.increment_seconds, queued_at = j.now,
        expires_at = j.expires_at, callee_zones = COALESCE(j.callee_zones, c.callee_zones),
        callee_regions = COALESCE(j.callee_regions, c.callee_regions)
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
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      EXISTS (SELECT FROM suppressions_of(r.account_id, r.callee_number)) AS is_suppressed
    FROM json_to_recordset(batch) AS r(
      id uuid, account_id uuid, agent_id uuid, agent_version int, caller_number text, callee_number text,
      currency text, rate_prefix text, connection_fee_micros bigint, price_per_minute_micros bigint,
      initial_increment_seconds int, increment_seconds int, arbiter_id uuid, max_duration_seconds int,
      ring_timeout_seconds int, variables json, metadata json, idempotency_key text, body_digest text, request_id text,
      queue_ttl_seconds int, webhook_url text, scheduled_for_ms bigint, give_up_at_ms bigint, waiting_for text, retry jsonb,
      -- Later than its time if the calling hours are closed then; the previous version sends none of these.
      due_at_ms bigint, callee_zones text[], callee_regions text[], callee_time_zone text)
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.arbiter_id OFFSET 0) v ON true
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
      max_duration_seconds, ring_timeout_seconds, variables, metadata, idempotency_key, body_digest, request_id, created_at,
      expires_at, webhook_url, callee_zones, callee_regions, callee_time_zone)
    SELECT
      i.id, i.account_id, i.agent_id, i.agent_version, i.caller_number, i.callee_number, 'scheduled', i.currency,
      i.rate_prefix, i.connection_fee_micros, i.price_per_minute_micros, i.initial_increment_seconds, i.increment_seconds, 0,
      i.max_duration_seconds, i.ring_timeout_seconds, i.variables, i.metadata, i.idempotency_key,
      decode(i.body_digest, 'hex'), i.request_id, t.now, from_epoch_ms(i.give_up_at_ms), i.webhook_url,
      i.callee_zones, i.callee_regions, i.callee_time_zone
    FROM input i, LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
    WHERE NOT i.is_void AND NOT i.is_suppressed
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
      from_epoch_ms(COALESCE(i.due_at_ms, i.scheduled_for_ms)), true, i.waiting_for, i.queue_ttl_seconds, i.retry
    FROM inserted n JOIN input i ON i.id = n.id ORDER BY n.id
    RETURNING call_schedules.call_id, call_schedules.account_id, call_schedules.scheduled_for, call_schedules.due_at,
      call_schedules.waiting_for
  ), events AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT n.id, n.created_at, x.type, x.data
    FROM inserted n JOIN planned p ON p.call_id = n.id, LATERAL (
      VALUES (1, 'scheduled', jsonb_build_object('scheduled_for', iso_ms(p.scheduled_for)), true),
        -- That it waits for its time is said by the event before.
        (2, 'waiting', jsonb_strip_nulls(jsonb_build_object('for', p.waiting_for,
        'until', CASE WHEN p.due_at > p.scheduled_for THEN iso_ms(p.due_at) END)), p.waiting_for <> 'time')
    ) AS x(place, type, data, happened)
    WHERE x.happened ORDER BY n.id, x.place
  ), due AS (
    SELECT p.account_id, min(p.due_at) AS at FROM planned p GROUP BY p.account_id ORDER BY p.account_id
  ), turns AS (
    INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
    SELECT d.account_id, d.at, d.at, '-infinity' FROM due d
    ON CONFLICT (account_id) DO UPDATE
      SET due_at = LEAST(t.due_at, excluded.due_at), new_due = LEAST(t.new_due, excluded.due_at)
      WHERE t.due_at > excluded.due_at OR t.new_due > excluded.due_at
  )
  SELECT i.id, i.arbiter_id,
    CASE
      WHEN i.is_void THEN 'voided'
      -- A request that is repeated learns of its call, whatever became of the number since.
      WHEN i.is_suppressed AND NOT EXISTS (SELECT FROM calls c WHERE c.id = i.id OFFSET 0) THEN 'suppressed'
      WHEN n.id IS NULL THEN 'call_exists'
      ELSE 'scheduled'
    END,
    n.created_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id;
END $$;

-- Stores which trunk a call goes to next, and its leg as it will be, before anything is sent to the trunk. Input:
-- [{id, epoch, number, carrier, trunk, dialog, generation, timeline}]. For the lock and the settings, see
-- ../accept/accept-calls.sql.
--
-- The gate has granted the channel. A channel that an earlier generation granted is rejected: the rebuild did not count
-- it. The new leg replaces the previous attempt's, by which an orphan's CANCEL would go to the wrong trunk. No attempt
-- begins while dialing is paused, for a number on a do-not-call list, or outside the calling hours: the answer is `paused` for
-- each, and the worker asks by a claim which of them it is.
CREATE OR REPLACE FUNCTION begin_attempts(batch jsonb)
RETURNS TABLE (call_id uuid, outcome text, end_requested boolean)
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  moment := clock_timestamp();
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current,
      (SELECT s.dialling_paused FROM system_settings s WHERE s.id = 1) AS is_paused
    FROM jsonb_to_recordset(batch) AS r(
      id uuid, epoch int, number int, carrier text, trunk text, dialog jsonb, generation bigint, timeline text)
  ), locked AS MATERIALIZED (
    SELECT c.id, c.end_requested_at,
      i.is_paused OR EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number))
        OR EXISTS (
          SELECT FROM closed_windows_of(c.account_id, c.callee_zones, c.callee_regions, c.callee_time_zone, moment))
        AS must_wait
    FROM calls c JOIN input i ON c.id = i.id
    WHERE c.epoch = i.epoch AND c.status NOT IN ('scheduled', 'queued', 'ended') AND i.is_current
    ORDER BY c.id FOR NO KEY UPDATE OF c
  ), begun AS (
    INSERT INTO call_attempts (call_id, number, trunk, epoch, begun_at)
    SELECT i.id, i.number, i.trunk, i.epoch, clock_timestamp() FROM input i JOIN locked l ON l.id = i.id
    WHERE NOT l.must_wait
    ON CONFLICT DO NOTHING RETURNING call_attempts.call_id
  ), written AS (
    UPDATE calls c SET carrier = i.carrier, dialog = i.dialog
    FROM input i JOIN begun b ON b.call_id = i.id WHERE c.id = i.id
  )
  SELECT i.id,
    CASE
      WHEN NOT i.is_current THEN 'gate_stale'
      WHEN l.id IS NULL THEN 'fenced'
      WHEN l.must_wait THEN 'paused'
      ELSE 'written'
    END,
    COALESCE(l.end_requested_at IS NOT NULL, false)
  FROM input i LEFT JOIN locked l ON l.id = i.id;
END $$;

-- Every path that makes an account fires it: the sign-up, and the command line.
CREATE OR REPLACE TRIGGER accounts_have_default_policy AFTER INSERT ON accounts
  FOR EACH ROW EXECUTE FUNCTION give_default_policy();

-- A version is added and read, nothing else.
CREATE OR REPLACE TRIGGER policy_versions_stay BEFORE UPDATE ON calling_policies
  FOR EACH ROW EXECUTE FUNCTION keep_policy_versions();
