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
      EXISTS (SELECT FROM suppressions_of(r.account_id, r.callee_number)) AS is_suppressed,
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
    WHERE i.is_current AND NOT i.is_void AND NOT i.is_suppressed
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
      WHEN i.is_suppressed AND NOT EXISTS (SELECT FROM calls c WHERE c.id = i.id OFFSET 0) THEN 'suppressed'
      WHEN n.id IS NULL THEN 'call_exists'
      ELSE 'accepted'
    END,
    n.created_at, n.expires_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id AND n.reservation_id = i.reservation_id;
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
          THEN CASE
            WHEN EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number)) THEN 'suppressed'
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

-- Puts numbers on the do-not-call list of an account, or of the platform (`account_id` null). Input: {account_id, numbers,
-- source, reason, actor, action, audit_id, most}; numbers are digits. Output: one row.
--
-- The row of `suppression_counts` is locked first, and each statement of a VOLATILE function takes a new snapshot: so what
-- counts as new is exact, and two adds cannot pass the bound together. A number that is in force already, by whatever kind
-- of entry, stays as it is. The audit row names how many numbers were added, and none of them. With `audit_id`, they are
-- added to that row: an import has one, however many statements it takes.
CREATE OR REPLACE FUNCTION add_suppressions(batch jsonb) RETURNS TABLE (outcome text, added int, audit_id bigint)
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  owner uuid := (batch->>'account_id')::uuid;
  audited bigint := (batch->>'audit_id')::bigint;
  listed int := 0;
  fresh bigint[];
  inserted int;
BEGIN
  IF owner IS NOT NULL THEN
    INSERT INTO suppression_counts AS c (account_id) SELECT a.id FROM accounts a WHERE a.id = owner
      ON CONFLICT (account_id) DO UPDATE SET manual = c.manual RETURNING c.manual INTO listed;
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'account_not_found', 0, audited;
      RETURN;
    END IF;
  END IF;
  -- One order for everybody: two adds to the platform's list must not wait for each other.
  fresh := ARRAY(
    SELECT DISTINCT n.digits::bigint FROM jsonb_array_elements_text(batch->'numbers') AS n(digits)
    WHERE NOT EXISTS (
      SELECT FROM suppressions s WHERE s.number = n.digits::bigint AND s.removed_at IS NULL
        AND (s.account_id = owner OR owner IS NULL AND s.account_id IS NULL))
    ORDER BY 1);
  IF owner IS NOT NULL AND listed + cardinality(fresh) > (batch->>'most')::int THEN
    RETURN QUERY SELECT 'too_many', 0, audited;
    RETURN;
  END IF;
  INSERT INTO suppressions (account_id, number, kind, source, reason, created_by, created_at)
  SELECT owner, f.number, 'manual', batch->>'source', batch->>'reason', batch->>'actor', clock_timestamp()
  FROM unnest(fresh) AS f(number)
  ON CONFLICT (number, account_id, kind) WHERE removed_at IS NULL DO NOTHING;
  GET DIAGNOSTICS inserted = ROW_COUNT;
  IF inserted > 0 THEN
    UPDATE suppression_counts SET manual = manual + inserted WHERE account_id = owner;
    IF audited IS NULL THEN
      INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
      SELECT batch->>'actor', batch->>'action', 'suppression', COALESCE(owner::text, 'platform'),
        jsonb_strip_nulls(jsonb_build_object(
          'account_id', owner, 'added', inserted, 'source', batch->>'source', 'reason', batch->>'reason'))
      RETURNING id INTO audited;
    ELSE
      UPDATE audit_entries SET data = jsonb_set(data, '{added}', to_jsonb((data->>'added')::int + inserted))
      WHERE id = audited;
    END IF;
  END IF;
  RETURN QUERY SELECT 'added', inserted, audited;
END $$;

-- Whether the timeline of a call says already that its callee opted out. VOLATILE, so that it sees what was committed while
-- the statement waited for the row of the call: the snapshot of that statement is older than the wait.
CREATE OR REPLACE FUNCTION has_opted_out(call uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN EXISTS (SELECT FROM call_events e WHERE e.call_id = call AND e.type = 'opted_out');
END $$;

-- Puts the callee of a call on the do-not-call list of its account, as an opt-out that a person passed on. Input:
-- {account_id, call_id, source, reason, actor}. Output: the entry; no row for a call that the account does not have.
--
-- The call is locked first, and the next statement of a VOLATILE function takes a new snapshot: so the timeline says it
-- once, however many requests arrive at once. Nothing here reads the epoch: what the callee said holds in every status.
CREATE OR REPLACE FUNCTION opt_out_call(batch jsonb) RETURNS TABLE (suppression_id uuid, is_new boolean)
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  call record;
  added uuid;
BEGIN
  SELECT c.id, c.account_id, substr(c.callee_number, 2)::bigint AS number,
    GREATEST(c.created_at, c.started_at, c.answered_at) AS after
  INTO call
  FROM calls c WHERE c.id = (batch->>'call_id')::uuid AND c.account_id = (batch->>'account_id')::uuid
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO suppressions (account_id, number, kind, source, reason, call_id, created_by, created_at)
  VALUES (call.account_id, call.number, 'opt_out', batch->>'source', batch->>'reason', call.id, batch->>'actor',
    clock_timestamp())
  ON CONFLICT (number, account_id, kind) WHERE removed_at IS NULL DO NOTHING RETURNING id INTO added;
  INSERT INTO call_events (call_id, at, type, data)
  SELECT call.id, GREATEST(clock_timestamp(), call.after), 'opted_out',
    jsonb_strip_nulls(jsonb_build_object('evidence', 'request', 'note', batch->>'reason'))
  WHERE NOT EXISTS (SELECT FROM call_events x WHERE x.call_id = call.id AND x.type = 'opted_out');
  IF added IS NOT NULL THEN
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    VALUES (batch->>'actor', 'suppression.opt_out', 'suppression', added::text,
      jsonb_build_object('account_id', call.account_id, 'call_id', call.id));
  END IF;
  RETURN QUERY SELECT s.id, added IS NOT NULL FROM suppressions s
    WHERE s.number = call.number AND s.account_id = call.account_id AND s.kind = 'opt_out' AND s.removed_at IS NULL;
END $$;

-- The entries of do-not-call lists that forbid an account to call a number: its own, and those of the platform. Postgres
-- inlines it, so that it reads the snapshot of the statement that asks, by one look-up in the index by number.
--
-- COALESCE, and the conditions of the other indexes, leave that index alone to choose from. A plan that was made while the table
-- was empty must not read a list of millions.
CREATE OR REPLACE FUNCTION suppressions_of(account uuid, callee text)
RETURNS TABLE (suppression_id uuid, is_platform boolean) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT s.id, s.account_id IS NULL FROM suppressions s
  WHERE s.number = substr(callee, 2)::bigint AND s.removed_at IS NULL AND COALESCE(s.account_id = account, true)
$$;

-- Stores which trunk a call goes to next, and its leg as it will be, before anything is sent to the trunk. Input:
-- [{id, epoch, number, carrier, trunk, dialog, generation, timeline}]. For the lock and the settings, see
-- ../accept/accept-calls.sql.
--
-- The gate has granted the channel. A channel that an earlier generation granted is rejected: the rebuild did not count
-- it. The new leg replaces the previous attempt's, by which an orphan's CANCEL would go to the wrong trunk. No attempt
-- begins while dialing is paused, or for a number on a do-not-call list: the answer is `paused` for both, and the worker asks
-- by a claim which of them it is.
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
    SELECT c.id, c.end_requested_at,
      i.is_paused OR EXISTS (SELECT FROM suppressions_of(c.account_id, c.callee_number)) AS must_wait
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
    WHEN 'opted_out' THEN 'call.opted_out'
  END
$$;
