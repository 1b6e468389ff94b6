-- Makes the turn of a campaign's account due. Whoever calls it has the campaign locked.
CREATE OR REPLACE FUNCTION make_campaign_due(campaign uuid, moment timestamptz) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
  SELECT g.account_id, moment, moment, '-infinity' FROM campaigns g WHERE g.id = campaign
  ON CONFLICT (account_id) DO UPDATE
    SET due_at = LEAST(t.due_at, excluded.due_at), new_due = LEAST(t.new_due, excluded.due_at)
$$;

-- Adds contacts to a campaign as one upload that is ready at once. Input: [{line, number, variables, metadata, time_zone}]. A number
-- that the campaign has already is not added again, and the first of two wins. No row: the account has no such campaign.
--
-- The campaign is locked first: it does not complete meanwhile. While a file is received, nothing else is added: the cursor would
-- pass its place, and its contacts would never be called.
CREATE OR REPLACE FUNCTION add_campaign_contacts(account uuid, campaign uuid, who text, contacts json, most int)
RETURNS TABLE (outcome text, state text, number int, accepted int, at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
  upload_number int;
  had bigint;
  added int;
  moment timestamptz;
BEGIN
  SELECT g.state INTO found_state FROM campaigns g WHERE g.id = campaign AND g.account_id = account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF found_state IN ('cancelling', 'cancelled', 'completed')
  THEN RETURN QUERY SELECT 'campaign_state', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  -- What is left of a failed upload would make duplicates of contacts that come.
  IF EXISTS (SELECT FROM campaign_uploads u
    WHERE u.campaign_id = campaign AND (u.state = 'receiving' OR u.state = 'failed' AND u.accepted > 0))
  THEN RETURN QUERY SELECT 'upload_in_progress', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  moment := clock_timestamp();
  SELECT COALESCE(sum(u.accepted) FILTER (WHERE u.state = 'ready'), 0), COALESCE(max(u.number), 0) + 1 INTO had, upload_number
  FROM campaign_uploads u WHERE u.campaign_id = campaign;
  IF had + json_array_length(contacts) > most
  THEN RETURN QUERY SELECT 'too_many_contacts', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  INSERT INTO campaign_contacts (campaign_id, upload, line, number, variables, metadata, time_zone)
  SELECT campaign, upload_number, r.line, r.number, r.variables, r.metadata, r.time_zone
  FROM json_to_recordset(contacts) AS r(line int, number bigint, variables json, metadata json, time_zone text)
  ORDER BY r.line
  ON CONFLICT (campaign_id, number) DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  INSERT INTO campaign_uploads (campaign_id, number, state, rows, accepted, duplicates, started_at, moved_at, ended_at)
  VALUES (campaign, upload_number, 'ready', json_array_length(contacts), added, json_array_length(contacts) - added,
    moment, moment, moment);
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  VALUES (who, 'campaign.add_contacts', 'campaign', campaign,
    jsonb_build_object('account_id', account, 'upload', upload_number, 'accepted', added));
  IF found_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  RETURN QUERY SELECT 'added', found_state, upload_number, added, moment;
END $$;

-- Adds lines to an upload that is being received. Input: contacts [{line, number, variables, metadata, time_zone}], errors [{line,
-- column, value, message}], and how many lines the upload had before: a batch that is sent again is not counted again. Output:
-- `added`; `over`, if the upload has ended meanwhile; `lost`, if Postgres does not have a batch that was added, because a standby
-- without it took over; `too_many_contacts`, which ends it.
--
-- The row of the upload is locked first, so that nothing is added to one that was given up.
CREATE OR REPLACE FUNCTION add_upload_batch(campaign uuid, upload int, rows_before int, contacts json, errors json, bad int, most int)
RETURNS text
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  upload_row record;
  given int := json_array_length(contacts);
  added int;
  had bigint;
BEGIN
  SELECT u.rows, u.accepted INTO upload_row FROM campaign_uploads u
  WHERE u.campaign_id = campaign AND u.number = upload AND u.state = 'receiving' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 'over'; END IF;
  IF upload_row.rows > rows_before THEN RETURN 'added'; END IF;
  IF upload_row.rows < rows_before THEN RETURN 'lost'; END IF;
  INSERT INTO campaign_contacts (campaign_id, upload, line, number, variables, metadata, time_zone)
  SELECT campaign, upload, r.line, r.number, r.variables, r.metadata, r.time_zone
  FROM json_to_recordset(contacts) AS r(line int, number bigint, variables json, metadata json, time_zone text)
  ORDER BY r.line
  ON CONFLICT (campaign_id, number) DO NOTHING;
  GET DIAGNOSTICS added = ROW_COUNT;
  INSERT INTO campaign_upload_errors (campaign_id, upload, line, "column", value, message)
  SELECT campaign, upload, r.line, r."column", r.value, r.message
  FROM json_to_recordset(errors) AS r(line int, "column" text, value text, message text);
  SELECT COALESCE(sum(u.accepted), 0) INTO had FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'ready';
  UPDATE campaign_uploads u
  SET rows = u.rows + given + bad, accepted = u.accepted + added, duplicates = u.duplicates + given - added,
      invalid = u.invalid + bad, moved_at = clock_timestamp()
  WHERE u.campaign_id = campaign AND u.number = upload;
  IF had + upload_row.accepted + added <= most THEN RETURN 'added'; END IF;
  UPDATE campaign_uploads u
  SET state = 'failed', ended_at = clock_timestamp(), error = 'The campaign would have more than ' || most || ' contacts.'
  WHERE u.campaign_id = campaign AND u.number = upload;
  RETURN 'too_many_contacts';
END $$;

-- Begins an upload of contacts to a campaign. No row: the account has no such campaign.
--
-- The campaign is locked first, so that of two uploads one begins. Contacts of a failed upload that are not removed yet would make
-- duplicates of those that come: whoever begins removes them first (see remove_failed_contacts).
CREATE OR REPLACE FUNCTION begin_upload(account uuid, campaign uuid, name text)
RETURNS TABLE (outcome text, state text, number int)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
BEGIN
  SELECT g.state INTO found_state FROM campaigns g WHERE g.id = campaign AND g.account_id = account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF found_state IN ('cancelling', 'cancelled', 'completed')
  THEN RETURN QUERY SELECT 'campaign_state', found_state, 0; RETURN; END IF;
  IF EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
  THEN RETURN QUERY SELECT 'upload_in_progress', found_state, 0; RETURN; END IF;
  IF EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'failed' AND u.accepted > 0)
  THEN RETURN QUERY SELECT 'removing', found_state, 0; RETURN; END IF;
  RETURN QUERY
  INSERT INTO campaign_uploads (campaign_id, number, state, file_name, started_at, moved_at)
  SELECT campaign, COALESCE(max(u.number), 0) + 1, 'receiving', name, clock_timestamp(), clock_timestamp()
  FROM campaign_uploads u WHERE u.campaign_id = campaign
  RETURNING 'begun', found_state, campaign_uploads.number;
END $$;

-- Begins to measure how many calls of a campaign end in a minute, at `moment`; null: it does not run, and is not measured. What
-- held it up is over.
CREATE OR REPLACE FUNCTION measure_campaign_anew(campaign uuid, moment timestamptz) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  UPDATE campaign_lanes n
  SET held_by = NULL, held_since = NULL, measured_at = moment, last_minute = NULL, per_minute = NULL,
    ended_calls = COALESCE((SELECT sum(k.calls)::int FROM campaign_counts k WHERE k.campaign_id = campaign), 0)
  WHERE n.campaign_id = campaign
$$;

-- Starts, pauses, resumes or cancels a campaign of an account: `wish` says which. No row: the account has no such campaign.
--
-- `plan` is of a start: what its calls have in common. `most` is how many campaigns of an account run at once; starts and resumes
-- of one account wait for each other. After the lock of the campaign each statement sees what the one before committed: an upload
-- that became ready, a contact that was added.
CREATE OR REPLACE FUNCTION change_campaign_state(account uuid, campaign uuid, wish text, who text, plan json, most int)
RETURNS TABLE (outcome text, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  before campaigns%ROWTYPE;
  next_state text;
  moment timestamptz;
BEGIN
  IF wish IN ('start', 'resume') THEN PERFORM FROM accounts a WHERE a.id = account FOR NO KEY UPDATE; END IF;
  SELECT g.* INTO before FROM campaigns g WHERE g.id = campaign AND g.account_id = account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  moment := clock_timestamp();
  IF before.state = ANY (CASE wish
      WHEN 'pause' THEN ARRAY['paused'] WHEN 'cancel' THEN ARRAY['cancelling', 'cancelled'] ELSE ARRAY['scheduled', 'running'] END)
  THEN RETURN QUERY SELECT 'unchanged', before.state; RETURN; END IF;
  IF before.state <> ALL (CASE wish
      WHEN 'start' THEN ARRAY['draft'] WHEN 'resume' THEN ARRAY['paused'] WHEN 'pause' THEN ARRAY['scheduled', 'running']
      ELSE ARRAY['draft', 'scheduled', 'running', 'paused'] END)
  THEN RETURN QUERY SELECT 'campaign_state', before.state; RETURN; END IF;
  IF wish = 'start' THEN
    IF EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
    THEN RETURN QUERY SELECT 'upload_in_progress', before.state; RETURN; END IF;
    IF NOT EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'ready' AND u.accepted > 0)
    THEN RETURN QUERY SELECT 'campaign_empty', before.state; RETURN; END IF;
  END IF;
  IF wish IN ('start', 'resume') AND (
    SELECT count(*) FROM campaigns g WHERE g.account_id = account AND g.state IN ('scheduled', 'running')) >= most
  THEN RETURN QUERY SELECT 'too_many_campaigns', before.state; RETURN; END IF;

  next_state := CASE wish WHEN 'pause' THEN 'paused' WHEN 'cancel' THEN 'cancelling'
    ELSE CASE WHEN before.starts_at > moment THEN 'scheduled' ELSE 'running' END END;
  UPDATE campaigns g
  SET state = next_state,
    started_at = CASE WHEN next_state = 'running' THEN COALESCE(g.started_at, moment) ELSE g.started_at END,
    agent_version = COALESCE(x.agent_version, g.agent_version), caller_number = COALESCE(x.caller_number, g.caller_number),
    max_duration_seconds = COALESCE(x.max_duration_seconds, g.max_duration_seconds),
    ring_timeout_seconds = COALESCE(x.ring_timeout_seconds, g.ring_timeout_seconds)
  FROM json_to_record(COALESCE(plan, '{}')) AS x(
    agent_version int, caller_number text, max_duration_seconds int, ring_timeout_seconds int)
  WHERE g.id = campaign;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  VALUES (who, 'campaign.' || wish, 'campaign', campaign, jsonb_build_object('account_id', account, 'state', next_state));
  IF next_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  PERFORM measure_campaign_anew(campaign, CASE WHEN next_state = 'running' THEN moment END);
  RETURN QUERY SELECT 'changed', next_state;
END $$;

-- The id of the first call to a contact: a UUID of version 8 (RFC 9562 section 5.8). It is derived, so that a campaign that stocks
-- its contacts again after a failover makes the same calls again, whose dial marks Redis may have.
CREATE OR REPLACE FUNCTION contact_call_id(campaign uuid, upload int, line int) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT encode(set_byte(set_byte(d.bytes, 6, get_byte(d.bytes, 6) & 15 | 128), 8, get_byte(d.bytes, 8) & 63 | 128), 'hex')::uuid
  FROM (
    SELECT substring(sha256(convert_to(concat_ws(' ', 'contact', campaign, upload, line), 'UTF8')) FOR 16) AS bytes
  ) d
$$;

-- Ends a turn: the account is due again with the first of its lanes, each not before the time that the turn says of it. Input:
-- [{lane, not_before_ms}]. A lane that is not named does not call: its campaign is paused, held or over.
--
-- A call that is still being admitted counts once a turn may take it again. Contacts without a call are due at once. `new_due`
-- has what was scheduled since the turn began, also what this statement's snapshot does not have.
CREATE OR REPLACE FUNCTION end_lane_turn(account uuid, turn bigint, lanes jsonb) RETURNS void
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
  next_due timestamptz;
BEGIN
  SELECT min(GREATEST(moment + l.not_before_ms * interval '1 millisecond', x.due_at)) INTO next_due
  FROM jsonb_to_recordset(lanes) AS l(lane uuid, not_before_ms int), LATERAL (
    SELECT min(GREATEST(w.due_at, w.admitting_until + interval '2 seconds')) AS due_at FROM (
      SELECT s.due_at, s.admitting_until FROM call_schedules s
      WHERE s.account_id = account AND COALESCE(s.campaign_id, s.account_id) = l.lane AND s.is_waiting AND s.give_up_at > moment
      ORDER BY s.due_at LIMIT 200) w
    UNION ALL
    (SELECT moment FROM campaign_lanes n JOIN campaign_contacts t ON t.campaign_id = n.campaign_id
      JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload
    WHERE n.campaign_id = l.lane AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line) AND u.state = 'ready' LIMIT 1)
  ) x
  -- GREATEST skips nulls: a lane without a call is not due.
  WHERE x.due_at IS NOT NULL;
  UPDATE dial_turns t
  SET holder = NULL, held_until = clock_timestamp(), due_at = LEAST(t.new_due, COALESCE(next_due, 'infinity'))
  WHERE t.account_id = account AND t.epoch = turn;
END $$;

-- Ends an upload whose last line has been added: from now on its contacts are called. With `whole`, it fails if a line is no
-- contact. `sent`: how many lines it has. Output: `ready`; `over`, if it was given up; `lost`, if Postgres has fewer lines of it,
-- because a standby without them took over; `invalid`; `campaign_state`, with the state of a campaign that is over.
--
-- The campaign is locked first: whoever completes it looks anew once it has the lock (see move_campaigns).
CREATE OR REPLACE FUNCTION finish_upload(campaign uuid, upload int, sent int, who text, whole boolean)
RETURNS TABLE (outcome text, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
  upload_row record;
  moment timestamptz;
  failure text;
BEGIN
  SELECT g.state INTO found_state FROM campaigns g WHERE g.id = campaign FOR NO KEY UPDATE;
  SELECT u.* INTO upload_row FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.number = upload FOR NO KEY UPDATE;
  IF upload_row.state <> 'receiving' THEN
    -- It is sent again if its first answer was lost.
    RETURN QUERY SELECT CASE upload_row.state WHEN 'ready' THEN 'ready' ELSE 'over' END, found_state;
    RETURN;
  END IF;
  moment := clock_timestamp();
  failure := CASE
    WHEN found_state IN ('cancelling', 'cancelled', 'completed') THEN 'campaign_state'
    WHEN upload_row.rows < sent THEN 'lost'
    WHEN whole AND upload_row.invalid > 0 THEN 'invalid' END;
  IF failure IS NOT NULL THEN
    UPDATE campaign_uploads u
    SET state = 'failed', ended_at = moment, error = CASE failure
      WHEN 'invalid' THEN upload_row.invalid || ' lines are no contact.'
      WHEN 'lost' THEN 'The database has lost a part of it.' ELSE 'The campaign is over.' END
    WHERE u.campaign_id = campaign AND u.number = upload;
    RETURN QUERY SELECT failure, found_state;
    RETURN;
  END IF;
  UPDATE campaign_uploads u SET state = 'ready', moved_at = moment, ended_at = moment
  WHERE u.campaign_id = campaign AND u.number = upload;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  SELECT who, 'campaign.add_contacts', 'campaign', campaign::text,
    jsonb_build_object('account_id', g.account_id, 'upload', upload, 'accepted', upload_row.accepted)
  FROM campaigns g WHERE g.id = campaign;
  IF found_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  RETURN QUERY SELECT 'ready', found_state;
END $$;

-- Whether a running campaign has anything left to do: a scheduled or an open call, an upload under way, or, before its end, a
-- contact without a call.
CREATE OR REPLACE FUNCTION has_campaign_work(campaign uuid) RETURNS boolean
LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT EXISTS (SELECT FROM call_schedules s WHERE s.campaign_id = campaign AND s.is_waiting)
    OR EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
    OR EXISTS (
      SELECT FROM calls c WHERE c.campaign_id = campaign AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
    OR EXISTS (
      SELECT FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id
        JOIN campaign_contacts t ON t.campaign_id = g.id
        JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload
      WHERE g.id = campaign AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp())
        AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line) AND u.state = 'ready')
$$;

-- What the turns of these accounts may admit, by lane: single calls (no campaign), and each running campaign. Slots are those that
-- neither an open call nor a call of an earlier turn takes. Due calls are counted up to 200, contacts without a call up to 1,000.
--
-- The moment is a variable: compared with a function that is asked for every row, no index would serve.
CREATE OR REPLACE FUNCTION lanes_of(accounts uuid[])
RETURNS TABLE (account_id uuid, campaign_id uuid, free_slots int, campaign_slots int, due_calls int, queue_ttl_seconds int,
  contacts_left int, open_calls int, admitting_calls int, max_concurrent int, weight int, deficit double precision,
  pace_calls int, calls_per_second double precision, budget_left_micros bigint, ends_at timestamptz, calling_window jsonb)
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  RETURN QUERY
  WITH held AS MATERIALIZED (
    SELECT c.account_id, c.campaign_id, count(*)::int AS calls, sum(c.hold_micros)::bigint AS hold_micros
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
      a.capacity * a.campaign_percent / 100 - COALESCE(u.of_campaigns, 0) AS of_campaigns
    FROM accounts a LEFT JOIN used u ON u.account_id = a.id WHERE a.id = ANY (accounts)
  ), lanes AS (
    SELECT s.account_id, NULL::uuid AS campaign_id FROM slots s
    UNION ALL
    SELECT g.account_id, g.id FROM campaigns g WHERE g.account_id = ANY (accounts) AND g.state = 'running'
  )
  SELECT l.account_id, l.campaign_id, s.free, s.of_campaigns, d.calls, COALESCE(d.queue_ttl_seconds, 0),
    COALESCE(k.contacts, 0), COALESCE(h.calls, 0), COALESCE(m.calls, 0), g.max_concurrent, COALESCE(g.weight, 0),
    COALESCE(n.deficit, 0),
    -- As in take_lane_calls, which asks again.
    floor(LEAST(GREATEST(g.calls_per_second, 1), n.pace_tokens
      + g.calls_per_second::double precision * GREATEST(0, EXTRACT(epoch FROM moment - n.pace_at))))::int,
    g.calls_per_second::double precision,
    g.budget_micros - COALESCE(h.hold_micros, 0)
      - COALESCE((SELECT sum(x.cost_micros) FROM campaign_counts x WHERE x.campaign_id = l.campaign_id), 0)::bigint,
    g.ends_at, g.window
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
        SELECT FROM campaign_contacts t JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload
        WHERE t.campaign_id = l.campaign_id AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line) AND u.state = 'ready'
        ORDER BY t.upload, t.line LIMIT 1000) y
    ) k
  ORDER BY l.account_id, l.campaign_id NULLS FIRST;
END $$;

-- Counts what calls of running campaigns ended in the last minute: of those whose last measure is a minute old, at most so many. The
-- rate of ten minutes begins with the second measure. Tells owners of campaigns that have waited for funds for ten minutes.
CREATE OR REPLACE FUNCTION measure_campaigns(most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  measured int;
BEGIN
  WITH due AS MATERIALIZED (
    SELECT n.campaign_id FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id
    WHERE g.state = 'running' AND n.measured_at <= moment - interval '1 minute'
    LIMIT most FOR NO KEY UPDATE OF n SKIP LOCKED
  ), counted AS MATERIALIZED (
    SELECT d.campaign_id, COALESCE((SELECT sum(k.calls)::int FROM campaign_counts k WHERE k.campaign_id = d.campaign_id), 0) AS calls
    FROM due d
  ), rated AS (
    SELECT c.campaign_id, c.calls, EXTRACT(epoch FROM moment - n.measured_at)::double precision AS seconds,
      (c.calls - n.ended_calls) * 60 / EXTRACT(epoch FROM moment - n.measured_at)::double precision AS rate
    FROM counted c JOIN campaign_lanes n ON n.campaign_id = c.campaign_id
  )
  UPDATE campaign_lanes n
  SET ended_calls = r.calls, measured_at = moment, last_minute = round(r.rate)::int,
    per_minute = CASE WHEN n.last_minute IS NULL THEN NULL WHEN n.per_minute IS NULL THEN r.rate
      ELSE n.per_minute + (1 - exp(-r.seconds / 600)) * (r.rate - n.per_minute) END
  FROM rated r WHERE n.campaign_id = r.campaign_id;
  GET DIAGNOSTICS measured = ROW_COUNT;

  -- One process at a time: two would tell of the same wait twice.
  IF pg_try_advisory_xact_lock(734) THEN
    INSERT INTO account_notices (account_id, kind, data)
    SELECT g.account_id, 'campaign_funds', jsonb_build_object('campaign_id', g.id, 'name', g.name)
    FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id
    WHERE g.state = 'running' AND n.held_by = 'funds' AND n.held_since <= moment - interval '10 minutes'
      AND NOT EXISTS (
        SELECT FROM account_notices o
        WHERE o.account_id = g.account_id AND o.created_at >= n.held_since AND o.kind = 'campaign_funds'
          AND o.data ->> 'campaign_id' = g.id::text)
    LIMIT most;
  END IF;
  RETURN measured;
END $$;

-- The state that a campaign moves on to by itself; null: it stays. Its time has come, it is over, nothing of it is scheduled after
-- it was cancelled, or its budget is used up: as long as a call is open, some of what it holds may come back.
CREATE OR REPLACE FUNCTION next_campaign_state(campaign uuid) RETURNS text
LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT CASE g.state
    WHEN 'scheduled' THEN CASE WHEN g.starts_at IS NULL OR g.starts_at <= clock_timestamp() THEN 'running' END
    WHEN 'cancelling' THEN CASE WHEN NOT EXISTS (
      SELECT FROM call_schedules s WHERE s.campaign_id = campaign AND s.is_waiting) THEN 'cancelled' END
    WHEN 'running' THEN CASE
      WHEN NOT has_campaign_work(campaign) THEN 'completed'
      WHEN n.held_by = 'budget' AND NOT EXISTS (
        SELECT FROM calls c WHERE c.campaign_id = campaign AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
        THEN 'paused' END
    END
  FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id WHERE g.id = campaign
$$;

-- Moves campaigns on that do so by themselves, at most so many: see next_campaign_state. Returns each with its new state, and tells
-- the account of those that are completed, and of those that have used up their budget.
--
-- It locks the campaign, and looks anew in the next statement: an upload that became ready meanwhile locked it too. Whatever a
-- settlement schedules for a campaign that is over is ended by the sweep of expired calls.
CREATE OR REPLACE FUNCTION move_campaigns(most int) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  candidate record;
  next_state text;
  moment timestamptz;
BEGIN
  FOR candidate IN
    SELECT g.id FROM campaigns g
    WHERE g.state IN ('scheduled', 'running', 'cancelling') AND next_campaign_state(g.id) IS NOT NULL
    LIMIT most FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    next_state := next_campaign_state(candidate.id);
    CONTINUE WHEN next_state IS NULL;
    moment := clock_timestamp();
    RETURN QUERY
    UPDATE campaigns g
    SET state = next_state, started_at = CASE WHEN next_state = 'running' THEN COALESCE(g.started_at, moment) ELSE g.started_at END,
        ended_at = CASE WHEN next_state IN ('completed', 'cancelled') THEN moment END
    WHERE g.id = candidate.id RETURNING g.id, g.account_id, g.state;
    INSERT INTO account_notices (account_id, kind, data)
    SELECT g.account_id, CASE next_state WHEN 'completed' THEN 'campaign_completed' ELSE 'campaign_budget' END,
      jsonb_build_object('campaign_id', g.id, 'name', g.name)
    FROM campaigns g WHERE g.id = candidate.id AND next_state IN ('completed', 'paused');
    IF next_state = 'running' THEN PERFORM make_campaign_due(candidate.id, moment); END IF;
    PERFORM measure_campaign_anew(candidate.id, CASE WHEN next_state = 'running' THEN moment END);
  END LOOP;
END $$;

-- Removes contacts of failed uploads, at most so many, of one campaign or of any. A failed upload's `accepted` says how many it still
-- has. Returns how many contacts and uploads it has dealt with; 0: there is nothing left that nobody else removes.
CREATE OR REPLACE FUNCTION remove_failed_contacts(campaign uuid, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  failed record;
  removed int;
BEGIN
  SELECT u.campaign_id, u.number INTO failed FROM campaign_uploads u
  WHERE u.state = 'failed' AND u.accepted > 0 AND (campaign IS NULL OR u.campaign_id = campaign)
  ORDER BY u.campaign_id, u.number LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  DELETE FROM campaign_contacts t
  WHERE t.campaign_id = failed.campaign_id AND t.upload = failed.number AND t.line = ANY (ARRAY(
    SELECT x.line FROM campaign_contacts x WHERE x.campaign_id = failed.campaign_id AND x.upload = failed.number
    ORDER BY x.line LIMIT most));
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE campaign_uploads u SET accepted = CASE WHEN removed < most THEN 0 ELSE GREATEST(0, u.accepted - removed) END
  WHERE u.campaign_id = failed.campaign_id AND u.number = failed.number;
  RETURN removed + 1;
END $$;

-- Makes scheduled calls of a campaign's next contacts, and moves its cursor past them. For the settings, see
-- ../accept/accept-calls.sql. Only the account's turn does it, and only while the campaign runs: it locks the campaign first, so
-- that a pause, an end or another turn's stock comes before it or after it.
--
-- A call has the rate and the place of its callee once it is admitted. A contact is passed once: an id is derived from it, and the
-- unique contact of an attempt refuses another call.
CREATE OR REPLACE FUNCTION stock_campaign(account uuid, turn bigint, campaign uuid, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment timestamptz;
  stocked int;
BEGIN
  PERFORM FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.state = 'running'
    AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp()) FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN 0; END IF;
  PERFORM FROM dial_turns t
  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN 0; END IF;
  moment := clock_timestamp();
  WITH next AS MATERIALIZED (
    SELECT t.*, contact_call_id(t.campaign_id, t.upload, t.line) AS call_id
    FROM campaign_lanes n JOIN campaign_contacts t ON t.campaign_id = n.campaign_id
      JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload
    WHERE n.campaign_id = campaign AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line) AND u.state = 'ready'
    ORDER BY t.upload, t.line LIMIT most
  ), moved AS (
    UPDATE campaign_lanes n SET cursor_upload = x.upload, cursor_line = x.line, passed = n.passed + x.contacts
    FROM (SELECT upload, line, count(*) OVER ()::int AS contacts FROM next ORDER BY upload DESC, line DESC LIMIT 1) x WHERE n.campaign_id = campaign
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, status, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, hold_micros,
      max_duration_seconds, ring_timeout_seconds, variables, metadata, request_id, created_at, expires_at, webhook_url,
      callee_time_zone, campaign_id)
    SELECT t.call_id, account, g.agent_id, g.agent_version, g.caller_number, '+' || t.number, 'scheduled', a.currency, '',
      0, 0, 1, 1, 0, g.max_duration_seconds, g.ring_timeout_seconds, t.variables, t.metadata, 'campaign ' || campaign,
      moment, LEAST(g.ends_at, moment + interval '90 days'), g.webhook_url, t.time_zone, campaign
    FROM next t, campaigns g JOIN accounts a ON a.id = g.account_id WHERE g.id = campaign ORDER BY t.call_id
    ON CONFLICT DO NOTHING
    RETURNING calls.id, calls.expires_at
  ), planned AS (
    INSERT INTO call_schedules (call_id, account_id, scheduled_for, give_up_at, due_at, is_waiting, queue_ttl_seconds,
      retry, campaign_id, contact_upload, contact_line)
    SELECT i.id, account, moment, i.expires_at, moment, true, 600, g.retry, campaign, t.upload, t.line
    FROM inserted i JOIN next t ON t.call_id = i.id, campaigns g WHERE g.id = campaign ORDER BY i.id
    RETURNING call_schedules.call_id
  ), events AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT p.call_id, moment, 'scheduled', jsonb_build_object('scheduled_for', iso_ms(moment)) FROM planned p ORDER BY p.call_id
  )
  SELECT count(*)::int INTO stocked FROM planned;
  RETURN stocked;
END $$;

-- Takes due calls of one lane of a turn, the longest due first: single calls (`lane` is the account), or those of a campaign, no
-- more than its pace allows. For the rest, see ../schedule/take-due-calls.sql, which the previous version calls.
--
-- In one order with all others: the campaign, the calls, the turn. A pause that comes later finds the calls taken, and the
-- admission asks the campaign again.
CREATE OR REPLACE FUNCTION take_lane_calls(account uuid, turn bigint, lane uuid, most int)
RETURNS TABLE (call_id uuid, admit_token uuid, scheduled_for timestamptz, due_at timestamptz, give_up_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_ids uuid[];
  moment timestamptz;
  pace double precision;
  tokens double precision;
BEGIN
  IF lane <> account THEN
    SELECT g.calls_per_second INTO pace FROM campaigns g
    WHERE g.id = lane AND g.state = 'running' AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp()) FOR SHARE;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  moment := clock_timestamp();
  IF pace IS NOT NULL THEN
    -- One second's burst, and one call at least.
    SELECT LEAST(GREATEST(pace, 1), n.pace_tokens + pace * GREATEST(0, EXTRACT(epoch FROM moment - n.pace_at)))
    INTO tokens FROM campaign_lanes n WHERE n.campaign_id = lane;
    most := LEAST(most, floor(tokens)::int);
    IF most <= 0 THEN RETURN; END IF;
  END IF;
  found_ids := ARRAY(
    SELECT s.call_id FROM call_schedules s
    WHERE s.account_id = account AND COALESCE(s.campaign_id, s.account_id) = lane AND s.is_waiting AND s.due_at <= moment AND s.give_up_at > moment
      AND (s.admitting_until IS NULL OR s.admitting_until <= moment - interval '2 seconds')
    ORDER BY s.due_at, s.call_id LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  PERFORM FROM dial_turns t
  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  IF pace IS NOT NULL THEN
    UPDATE campaign_lanes n SET pace_tokens = tokens - cardinality(found_ids), pace_at = moment WHERE n.campaign_id = lane;
  END IF;
  RETURN QUERY
  UPDATE call_schedules s
  SET admit_token = gen_random_uuid(), admitting_until = clock_timestamp() + interval '10 seconds'
  WHERE s.call_id = ANY (found_ids)
  RETURNING s.call_id, s.admit_token, s.scheduled_for, s.due_at, s.give_up_at;
END $$;

-- Changes settings of a campaign that is in one of `states`. `change` has its columns by name. Returns the state that it has; no row: the account has no such campaign.
--
-- Its scheduled calls are given up at its new end. What a settlement schedules meanwhile still has the old one; the sweep of expired
-- calls asks the campaign too.
CREATE OR REPLACE FUNCTION update_campaign(account uuid, campaign uuid, who text, states text[], change json)
RETURNS TABLE (is_changed boolean, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  before campaigns%ROWTYPE;
  after campaigns%ROWTYPE;
BEGIN
  SELECT g.* INTO before FROM campaigns g WHERE g.id = campaign AND g.account_id = account FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF before.state <> ALL (states) THEN RETURN QUERY SELECT false, before.state; RETURN; END IF;
  after := json_populate_record(before, change);
  UPDATE campaigns g
  SET name = after.name, agent_id = after.agent_id, agent_version = after.agent_version, caller_number = after.caller_number,
    columns = after.columns, default_country = after.default_country, retry = after.retry,
    calls_per_second = after.calls_per_second, max_concurrent = after.max_concurrent, weight = after.weight,
    "window" = after."window", starts_at = after.starts_at, ends_at = after.ends_at, budget_micros = after.budget_micros,
    max_duration_seconds = after.max_duration_seconds, ring_timeout_seconds = after.ring_timeout_seconds,
    webhook_url = after.webhook_url, metadata = after.metadata
  WHERE g.id = campaign;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  VALUES (who, 'campaign.update', 'campaign', campaign, jsonb_build_object('account_id', account) || change::jsonb);
  IF before.ends_at IS DISTINCT FROM after.ends_at THEN
    WITH locked AS MATERIALIZED (
      SELECT c.id, LEAST(after.ends_at, c.created_at + interval '90 days') AS at
      FROM call_schedules s JOIN calls c ON c.id = s.call_id
      WHERE s.campaign_id = campaign AND s.is_waiting AND c.status = 'scheduled'
        AND LEAST(after.ends_at, c.created_at + interval '90 days') > GREATEST(c.created_at, s.scheduled_for)
      ORDER BY c.id FOR NO KEY UPDATE OF c
    ), moved AS (
      UPDATE calls c SET expires_at = l.at FROM locked l WHERE c.id = l.id RETURNING c.id
    )
    UPDATE call_schedules s SET give_up_at = l.at FROM moved m JOIN locked l ON l.id = m.id WHERE s.call_id = m.id AND s.is_waiting;
  END IF;
  IF before.state = 'running' THEN
    PERFORM make_campaign_due(campaign, clock_timestamp());
    UPDATE campaign_lanes n SET held_by = NULL, held_since = NULL WHERE n.campaign_id = campaign AND n.held_by = 'budget';
  END IF;
  RETURN QUERY SELECT true, before.state;
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
  -- Campaigns before calls, as everybody does. A pause that was committed before is seen below.
  PERFORM FROM (
    SELECT FROM campaigns g
    WHERE g.id IN (SELECT c.campaign_id FROM calls c JOIN json_to_recordset(batch) AS r(id uuid) ON r.id = c.id)
    ORDER BY g.id FOR SHARE
  ) y;
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
          AND (c.campaign_id IS NULL OR EXISTS (
            SELECT FROM campaigns g
            WHERE g.id = c.campaign_id AND g.state = 'running' AND (g.ends_at IS NULL OR g.ends_at > t.now)))
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
