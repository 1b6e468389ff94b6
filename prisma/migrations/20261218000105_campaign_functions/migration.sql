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
  -- Most campaigns are far from it, whatever is a duplicate.
  IF had + json_array_length(contacts) > most AND had + (
    SELECT count(DISTINCT r.number) FROM json_to_recordset(contacts) AS r(number bigint)
    WHERE NOT EXISTS (SELECT FROM campaign_contacts t WHERE t.campaign_id = campaign AND t.number = r.number)) > most
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
-- `plan` is of a start: what its calls have in common, and the settings that it was made of: a draft whose settings are others by
-- now stays one. Or of a cancellation: whether its open calls are to end, which the sweep sees to. `most` is how many campaigns of an account run at once; starts and resumes of one account wait for each other. After the
-- lock of the campaign each statement sees what the one before committed: an upload that became ready, a contact that was added.
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
  IF wish = 'cancel' AND (plan ->> 'hang_up')::boolean THEN
    UPDATE campaigns g SET hang_up = true WHERE g.id = campaign AND g.state <> 'completed';
  END IF;
  IF before.state = ANY (CASE wish
      WHEN 'pause' THEN ARRAY['paused'] WHEN 'cancel' THEN ARRAY['cancelling', 'cancelled'] ELSE ARRAY['scheduled', 'running'] END)
  THEN RETURN QUERY SELECT 'unchanged', before.state; RETURN; END IF;
  IF before.state <> ALL (CASE wish
      WHEN 'start' THEN ARRAY['draft'] WHEN 'resume' THEN ARRAY['paused'] WHEN 'pause' THEN ARRAY['scheduled', 'running']
      ELSE ARRAY['draft', 'scheduled', 'running', 'paused'] END)
  THEN RETURN QUERY SELECT 'campaign_state', before.state; RETURN; END IF;
  IF wish = 'start' THEN
    IF EXISTS (
      SELECT FROM json_to_record(plan -> 'made_of') AS x(
        agent_id uuid, caller_number text, max_duration_seconds int, ring_timeout_seconds int)
      WHERE plan -> 'made_of' IS NOT NULL
        AND (x.agent_id, x.caller_number, x.max_duration_seconds, x.ring_timeout_seconds) IS DISTINCT FROM
        (before.agent_id, before.caller_number, before.max_duration_seconds, before.ring_timeout_seconds)
    ) THEN RETURN QUERY SELECT 'campaign_state', before.state; RETURN; END IF;
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
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
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
    SELECT moment FROM campaign_lanes n, LATERAL (
      SELECT FROM campaign_contacts t
      WHERE t.campaign_id = n.campaign_id AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line)
        -- For the uploads, see lanes_of.
        AND t.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = n.campaign_id AND r.state = 'ready')
      ORDER BY t.upload, t.line LIMIT 1) c
    WHERE n.campaign_id = l.lane
  ) x
  -- GREATEST skips nulls: a lane without a call is not due.
  WHERE x.due_at IS NOT NULL;
  UPDATE dial_turns t
  SET holder = NULL, held_until = clock_timestamp(), due_at = LEAST(t.new_due, COALESCE(next_due, 'infinity'))
  WHERE t.account_id = account AND t.epoch = turn;
END $$;

-- Tells owners of an account that a file of contacts did not arrive, where no answer told its sender: its connection broke off, or
-- nothing came any more. Of a campaign once a day, and of twenty things a day at most: each notice is an e-mail, and a file can
-- break off without end. Whoever calls it has the row of the upload locked.
CREATE OR REPLACE FUNCTION tell_upload_failed(campaign uuid, upload int) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO account_notices (account_id, kind, data)
  SELECT g.account_id, 'campaign_upload_failed',
    jsonb_build_object('campaign_id', g.id, 'name', g.name, 'upload', upload, 'file_name', u.file_name)
  FROM campaigns g JOIN campaign_uploads u ON u.campaign_id = g.id AND u.number = upload
  WHERE g.id = campaign AND NOT EXISTS (
    SELECT FROM (
      SELECT n.kind, n.data, row_number() OVER () AS place FROM (
        SELECT o.kind, o.data FROM account_notices o
        WHERE o.account_id = g.account_id AND o.created_at > clock_timestamp() - interval '1 day' LIMIT 20
      ) n
    ) x WHERE x.place = 20 OR (x.kind = 'campaign_upload_failed' AND x.data ->> 'campaign_id' = campaign::text))
$$;

-- Ends an upload that is being received; one that is over stays as it is. `unanswered`: its sender gets no answer, so
-- the owners get a notice.
CREATE OR REPLACE FUNCTION fail_upload(campaign uuid, upload int, why text, unanswered boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s'
AS $$
BEGIN
  UPDATE campaign_uploads u SET state = 'failed', ended_at = clock_timestamp(), error = why
  WHERE u.campaign_id = campaign AND u.number = upload AND u.state = 'receiving';
  IF FOUND AND unanswered THEN PERFORM tell_upload_failed(campaign, upload); END IF;
END $$;

-- Ends an upload whose last line has been added: from now on its contacts are called. With `whole`, it fails if a line is no
-- contact. `sent`: how many lines it has. Output: `ready`; `over`, if it was given up; `lost`, if Postgres has fewer lines of it,
-- because a standby without them took over; `invalid`; `campaign_state`, with the state of a campaign that is over.
--
-- The campaign is locked first: a sweep that completes it looks again once it has the lock (see move_campaigns).
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
      WHEN 'invalid' THEN CASE upload_row.invalid WHEN 1 THEN '1 line is' ELSE upload_row.invalid || ' lines are' END || ' no contact.'
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

-- Whether a campaign that has started has anything left to do: a scheduled or an open call, an upload under way, or, before its end, a
-- contact without a call.
CREATE OR REPLACE FUNCTION has_campaign_work(campaign uuid) RETURNS boolean
LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT EXISTS (SELECT FROM call_schedules s WHERE s.campaign_id = campaign AND s.is_waiting)
    OR EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
    OR EXISTS (
      SELECT FROM calls c WHERE c.campaign_id = campaign AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
    OR EXISTS (
      SELECT FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id, LATERAL (
        SELECT FROM campaign_contacts t JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload
        WHERE t.campaign_id = g.id AND (t.upload, t.line) > (n.cursor_upload, n.cursor_line) AND u.state = 'ready'
        ORDER BY t.upload, t.line LIMIT 1) y
      WHERE g.id = campaign AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp()))
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
      count(*) FILTER (WHERE c.status = 'queued')::int AS queued, sum(c.hold_micros)::bigint AS hold_micros
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

  -- One process at a time: two would report the same wait twice.
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

-- The state that a campaign moves on to by itself; null: it stays. Its time has come, it is over (a paused one by its end alone),
-- nothing of it is scheduled after it was cancelled, or its budget is used up: as long as a call is open, some of what it holds
-- may come back.
CREATE OR REPLACE FUNCTION next_campaign_state(campaign uuid) RETURNS text
LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT CASE g.state
    WHEN 'scheduled' THEN CASE WHEN g.starts_at IS NULL OR g.starts_at <= clock_timestamp() THEN 'running' END
    WHEN 'cancelling' THEN CASE WHEN NOT EXISTS (
      SELECT FROM call_schedules s WHERE s.campaign_id = campaign AND s.is_waiting) THEN 'cancelled' END
    WHEN 'paused' THEN CASE WHEN g.ends_at <= clock_timestamp() AND NOT has_campaign_work(campaign) THEN 'completed' END
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
-- It locks the campaign, and looks again in the next statement: an upload that became ready before locked it too. What a
-- settlement schedules for a campaign that is over is ended by the next sweep of campaigns.
CREATE OR REPLACE FUNCTION move_campaigns(most int) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  candidate record;
  next_state text;
  moment timestamptz;
  looked_at constant timestamptz := clock_timestamp();
BEGIN
  FOR candidate IN
    -- A paused campaign is looked at once its end has come: there may be thousands.
    SELECT g.id FROM campaigns g WHERE g.id = ANY (ARRAY(
      SELECT x.id FROM (
        SELECT c.id FROM campaigns c WHERE c.state IN ('scheduled', 'running', 'cancelling')
        UNION ALL SELECT c.id FROM campaigns c WHERE c.state = 'paused' AND c.ends_at <= looked_at
      ) x WHERE next_campaign_state(x.id) IS NOT NULL LIMIT most))
    ORDER BY g.id FOR NO KEY UPDATE SKIP LOCKED
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
    FROM campaigns g WHERE g.id = candidate.id AND next_state IN ('completed', 'paused')
      -- Of twenty things a day at most: each notice is an e-mail, and a campaign may be resumed without end.
      AND (
        SELECT count(*) FROM (
          SELECT FROM account_notices o WHERE o.account_id = g.account_id AND o.created_at > moment - interval '1 day' LIMIT 20) n) < 20;
    IF next_state = 'running' THEN PERFORM make_campaign_due(candidate.id, moment); END IF;
    PERFORM measure_campaign_anew(candidate.id, CASE WHEN next_state = 'running' THEN moment END);
  END LOOP;
END $$;

-- The outbox of webhooks about campaigns: the statement that changes a state also writes what happened, with its messages and
-- deliveries, whoever runs it. `started` comes once: when a campaign begins to call. URLs of calls get nothing of it. For the
-- rest, see ../webhooks/announce-call-events.sql.
CREATE OR REPLACE FUNCTION note_campaign_state() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment constant timestamptz := clock_timestamp();
BEGIN
  WITH noted AS MATERIALIZED (
    INSERT INTO campaign_events (campaign_id, at, type)
    SELECT NEW.id, moment, x.type
    FROM (VALUES
      (1, 'resumed', OLD.state = 'paused' AND NEW.state IN ('scheduled', 'running')),
      (2, 'started', OLD.started_at IS NULL AND NEW.started_at IS NOT NULL),
      (3, NEW.state, NEW.state IN ('paused', 'completed', 'cancelled'))) AS x(place, type, happened)
    WHERE x.happened ORDER BY x.place
    RETURNING id, at, 'campaign.' || type AS about
  ), wanted AS MATERIALIZED (
    SELECT n.id AS event_id, n.at, n.about, p.id AS endpoint_id, p.kind
    FROM noted n JOIN webhook_endpoints p ON p.account_id = NEW.account_id AND p.state = 'enabled' AND p.kind <> 'per_call'
    WHERE (p.expires_at IS NULL OR p.expires_at > moment) AND (p.events = '{}' OR n.about = ANY (p.events))
  ), messages AS (
    INSERT INTO webhook_messages (account_id, campaign_id, event_id, type, occurred_at, created_at)
    SELECT DISTINCT NEW.account_id, NEW.id, w.event_id, w.about, w.at, moment FROM wanted w ORDER BY w.event_id
    ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO NOTHING
    RETURNING id, event_id
  )
  INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, campaign_id, event_id, type, tries_left, due_at,
    created_at)
  SELECT m.id, w.endpoint_id, NEW.account_id, webhook_lane(w.endpoint_id, w.kind, NULL::text), NEW.id, w.event_id, w.about,
    webhook_tries(w.kind), moment, moment
  FROM messages m JOIN wanted w ON w.event_id = m.event_id;
  RETURN NULL;
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
-- A call has the rate and the place of its callee once it is admitted. Its campaign's end is asked of the campaign, which may move it. A contact is passed once: an id is derived from it, and the
-- unique contact of an attempt refuses another call.
-- The contacts are in a subquery: joined to its row, the cursor would filter them, and each one before it would be read.
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
    FROM campaign_lanes n, LATERAL (
      SELECT c.* FROM campaign_contacts c
      WHERE c.campaign_id = campaign AND (c.upload, c.line) > (n.cursor_upload, n.cursor_line)
        -- For the uploads, see lanes_of. They are asked again, one by one: nothing of a failed one is ever called.
        AND (SELECT u.state FROM campaign_uploads u WHERE u.campaign_id = c.campaign_id AND u.number = c.upload) = 'ready'
        AND c.upload <= (SELECT max(r.number) FROM campaign_uploads r WHERE r.campaign_id = campaign AND r.state = 'ready')
      ORDER BY c.upload, c.line LIMIT most) t
    WHERE n.campaign_id = campaign
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
      moment, moment + interval '90 days', g.webhook_url, t.time_zone, campaign
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
-- In one order with all others: the campaign, the calls, the turn, the lane. A pause that comes later finds the calls taken, and the
-- admission asks the campaign again. Tokens are counted once the lane is locked: a repeated statement spends none twice.
CREATE OR REPLACE FUNCTION take_lane_calls(account uuid, turn bigint, lane uuid, most int)
RETURNS TABLE (call_id uuid, admit_token uuid, scheduled_for timestamptz, due_at timestamptz, give_up_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off
AS $$
#variable_conflict use_column
DECLARE
  found_ids uuid[];
  moment timestamptz;
  pace double precision;
  ends_at timestamptz;
  tokens double precision;
BEGIN
  IF lane <> account THEN
    SELECT g.calls_per_second, g.ends_at INTO pace, ends_at FROM campaigns g
    WHERE g.id = lane AND g.state = 'running' AND (g.ends_at IS NULL OR g.ends_at > clock_timestamp()) FOR SHARE;
    IF NOT FOUND THEN RETURN; END IF;
  END IF;
  moment := clock_timestamp();
  found_ids := ARRAY(
    SELECT s.call_id FROM call_schedules s
    WHERE s.account_id = account AND COALESCE(s.campaign_id, s.account_id) = lane AND s.is_waiting AND s.due_at <= moment AND s.give_up_at > moment
      AND (s.admitting_until IS NULL OR s.admitting_until <= moment - interval '2 seconds')
    ORDER BY s.due_at, s.call_id LIMIT most FOR NO KEY UPDATE SKIP LOCKED);
  PERFORM FROM dial_turns t
  WHERE t.account_id = account AND t.epoch = turn AND t.held_until > clock_timestamp() FOR SHARE;
  IF NOT FOUND THEN RETURN; END IF;
  IF pace IS NOT NULL THEN
    -- One second's burst, and one call at least.
    SELECT LEAST(GREATEST(pace, 1), n.pace_tokens + pace * GREATEST(0, EXTRACT(epoch FROM clock_timestamp() - n.pace_at)))
    INTO tokens FROM campaign_lanes n WHERE n.campaign_id = lane FOR NO KEY UPDATE;
    found_ids := found_ids[1:floor(tokens)::int];
    IF cardinality(found_ids) = 0 THEN RETURN; END IF;
    UPDATE campaign_lanes n SET pace_tokens = tokens - cardinality(found_ids), pace_at = clock_timestamp()
    WHERE n.campaign_id = lane;
  END IF;
  RETURN QUERY
  UPDATE call_schedules s
  SET admit_token = gen_random_uuid(), admitting_until = clock_timestamp() + interval '10 seconds'
  WHERE s.call_id = ANY (found_ids)
  RETURNING s.call_id, s.admit_token, s.scheduled_for, s.due_at, LEAST(s.give_up_at, ends_at);
END $$;

-- Changes settings of a campaign that is in one of `states`. `change` has its columns by name. Returns the state that it has; no
-- row: the account has no such campaign.
--
-- However many calls it has scheduled, none is changed: whoever admits, retries or ends one asks the campaign for its end.
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
  IF before.state = 'running' THEN
    PERFORM make_campaign_due(campaign, clock_timestamp());
  END IF;
  IF before.state = 'running' OR before.budget_micros IS DISTINCT FROM after.budget_micros THEN
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
    SELECT i.*, s.due_at, t.now, LEAST(t.now + make_interval(secs => s.queue_ttl_seconds), s.give_up_at,
        (SELECT g.ends_at FROM campaigns g WHERE g.id = c.campaign_id)) AS expires_at,
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

-- Advances a running replay by one step: at most 20,000 ids and 500 events. Ids commit out of order, so it stops before
-- those that are younger than a minute. It waits while the endpoint has 1,000 deliveries pending: what happens now must not
-- stand behind the past. The endpoint gets only types that it wants now. Returns whether there is more to do at once.
CREATE OR REPLACE FUNCTION advance_webhook_replay() RETURNS boolean
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  replay record;
  endpoint record;
  first_id bigint;
  last_id bigint;
  found_ids bigint[];
  sent_ids uuid[];
BEGIN
  SELECT r.* INTO replay FROM webhook_replays r
  WHERE r.state = 'running' AND (SELECT count(*) FROM (
    SELECT FROM webhook_deliveries d WHERE d.state = 'pending' AND d.lane = r.endpoint_id LIMIT 1000) x) < 1000
    AND (r.created_at <= moment - interval '1 minute' OR r.position IS NULL
      OR r.position < LEAST(r.end_id, call_event_before(moment - interval '1 minute')))
  -- Any of them: one that matches little must not keep the others from their turn.
  ORDER BY random() LIMIT 1 FOR UPDATE OF r SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;

  SELECT p.kind, p.events INTO endpoint FROM webhook_endpoints p WHERE p.id = replay.endpoint_id AND p.state = 'enabled';
  IF NOT FOUND THEN
    UPDATE webhook_replays r SET state = 'cancelled' WHERE r.id = replay.id;
    RETURN true;
  END IF;

  first_id := COALESCE(replay.position, call_event_before(replay.since));
  last_id := GREATEST(first_id, LEAST(first_id + 20000, replay.end_id,
    CASE WHEN replay.created_at > moment - interval '1 minute' THEN call_event_before(moment - interval '1 minute') END));
  SELECT array_agg(x.id ORDER BY x.id) INTO found_ids FROM (
    (SELECT e.id FROM call_events e JOIN calls c ON c.id = e.call_id
     WHERE e.id > first_id AND e.id <= last_id AND c.account_id = replay.account_id AND e.at >= replay.since
       AND e.at < replay.until AND webhook_type(e.type) IS NOT NULL
       AND (replay.events = '{}' OR webhook_type(e.type) = ANY (replay.events))
       AND (endpoint.events = '{}' OR webhook_type(e.type) = ANY (endpoint.events))
     ORDER BY e.id LIMIT 500)
    UNION ALL
    (SELECT e.id FROM campaign_events e JOIN campaigns g ON g.id = e.campaign_id
     WHERE e.id > first_id AND e.id <= last_id AND g.account_id = replay.account_id AND e.at >= replay.since
       AND e.at < replay.until
       AND (replay.events = '{}' OR 'campaign.' || e.type = ANY (replay.events))
       AND (endpoint.events = '{}' OR 'campaign.' || e.type = ANY (endpoint.events))
     ORDER BY e.id LIMIT 500)
    ORDER BY id LIMIT 500
  ) x;
  IF cardinality(found_ids) = 500 THEN last_id := found_ids[500]; END IF;

  -- By key, as every statement that locks several messages.
  PERFORM FROM (
    SELECT FROM webhook_messages k WHERE k.event_id = ANY (found_ids) ORDER BY k.id FOR NO KEY UPDATE
  ) x;
  WITH messages AS MATERIALIZED (
    -- The update locks a message that exists, so that retention does not delete it meanwhile.
    INSERT INTO webhook_messages AS m (account_id, call_id, campaign_id, event_id, type, occurred_at, created_at)
    SELECT replay.account_id, e.call_id, e.campaign_id, e.id, e.type, e.at, moment
    FROM (
      SELECT c.id, c.call_id, NULL::uuid AS campaign_id, webhook_type(c.type) AS type, c.at FROM call_events c
      WHERE c.id = ANY (found_ids)
      UNION ALL
      SELECT g.id, NULL, g.campaign_id, 'campaign.' || g.type, g.at FROM campaign_events g WHERE g.id = ANY (found_ids)
    ) e
    WHERE replay.only <> 'failed' OR EXISTS (
      SELECT FROM webhook_messages k JOIN webhook_deliveries d ON d.message_id = k.id AND d.endpoint_id = replay.endpoint_id
      WHERE k.event_id = e.id)
    ORDER BY e.id
    ON CONFLICT (event_id) WHERE event_id IS NOT NULL DO UPDATE SET created_at = m.created_at
    RETURNING m.id, m.call_id, m.campaign_id, m.event_id, m.type
  ), sent AS (
    INSERT INTO webhook_deliveries AS d (message_id, endpoint_id, account_id, lane, call_id, campaign_id, event_id, type,
      tries_left, due_at, created_at)
    SELECT m.id, replay.endpoint_id, replay.account_id, replay.endpoint_id, m.call_id, m.campaign_id, m.event_id, m.type,
      webhook_tries(endpoint.kind), moment, moment
    FROM messages m ORDER BY m.id
    ON CONFLICT (message_id, endpoint_id) DO UPDATE SET state = 'pending', tries_left = excluded.tries_left, due_at = moment,
      in_order = true
      WHERE d.attempts < webhook_most_attempts() AND
            CASE replay.only WHEN 'missing' THEN false WHEN 'all' THEN d.state <> 'pending'
                             ELSE d.state IN ('failed', 'dropped') END
    RETURNING d.message_id
  )
  SELECT COALESCE(array_agg(s.message_id), '{}') INTO sent_ids FROM sent s;
  -- Retention begins anew only for what is sent.
  UPDATE webhook_messages m SET created_at = moment WHERE m.id = ANY (sent_ids) AND m.created_at < moment;

  UPDATE webhook_replays r SET position = last_id, replayed = r.replayed + cardinality(sent_ids),
    state = CASE WHEN last_id >= r.end_id THEN 'done' ELSE 'running' END
  WHERE r.id = replay.id;
  RETURN true;
END $$;

-- Claims deliveries that are due, within the limits of their lanes. Input: {free_slots, free_slots_for_healthy_lanes,
-- after_lane, max_lanes, most_per_account, in_flight}. The last row has no message: it says which lane comes next, and when.
-- No account takes more than `most_per_account` of the process, with its requests in flight (a number by account): slow
-- receivers that succeed would hold up all others. Accounts take turns.
--
-- It locks lanes before it reads what is due: its statements have snapshots of their own, so it counts what the process
-- that had the lock before has claimed. A lane that another process has is left to it. Each attempt is counted before it is
-- made, so a delivery that crashes its worker runs out of tries.
CREATE OR REPLACE FUNCTION claim_webhooks(input jsonb)
RETURNS TABLE (
  message_id uuid, endpoint_id uuid, account_id uuid, lane uuid, kind text, url text, type text, occurred_at timestamptz,
  call_id uuid, attempts int, tries_left int, is_healthy boolean, api_version text, sealed_secret bytea,
  previous_sealed_secret bytea, body text, next_lane uuid, next_due_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  given record;
  walked uuid[];
  owners uuid[];
  dues timestamptz[];
  locked uuid[];
BEGIN
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    free_slots int, free_slots_for_healthy_lanes int, after_lane uuid, max_lanes int, most_per_account int, in_flight jsonb);
  IF given.free_slots <= 0 OR (SELECT s.webhooks_paused FROM system_settings s WHERE s.id = 1) THEN RETURN; END IF;

  -- One look-up for each lane, however much is pending in it.
  WITH RECURSIVE walk AS (
    (SELECT d.lane, d.endpoint_id, d.due_at, 1 AS place FROM webhook_deliveries d
     WHERE d.state = 'pending' AND d.lane > COALESCE(given.after_lane, '00000000-0000-0000-0000-000000000000'::uuid)
     ORDER BY d.lane, d.due_at, d.event_id LIMIT 1)
    UNION ALL
    SELECT n.lane, n.endpoint_id, n.due_at, w.place + 1 FROM walk w, LATERAL (
      SELECT d.lane, d.endpoint_id, d.due_at FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane > w.lane ORDER BY d.lane, d.due_at, d.event_id LIMIT 1
    ) n WHERE w.place < given.max_lanes
  )
  SELECT array_agg(w.lane ORDER BY w.place), array_agg(w.endpoint_id ORDER BY w.place), array_agg(w.due_at ORDER BY w.place)
  INTO walked, owners, dues FROM walk w;

  INSERT INTO webhook_lanes (lane, endpoint_id)
  SELECT u.lane, u.owner FROM unnest(walked, owners, dues) AS u(lane, owner, due)
    JOIN webhook_endpoints p ON p.id = u.owner AND p.state = 'enabled' AND p.kind <> 'listener'
  WHERE u.due <= moment AND NOT EXISTS (SELECT FROM webhook_lanes l WHERE l.lane = u.lane)
  ORDER BY u.lane ON CONFLICT DO NOTHING;

  SELECT array_agg(x.lane) INTO locked FROM (
    SELECT l.lane FROM unnest(walked, dues) AS u(lane, due) JOIN webhook_lanes l ON l.lane = u.lane
    WHERE u.due <= moment AND l.not_before <= moment ORDER BY l.lane FOR NO KEY UPDATE OF l SKIP LOCKED
  ) x;

  RETURN QUERY
  WITH open AS MATERIALIZED (
    SELECT l.lane, l.failures = 0 AS is_healthy, p.account_id, p.kind, p.rate_per_second,
      LEAST(
        CASE WHEN l.failures >= 5 THEN 1 WHEN p.kind = 'per_call' THEN 2 ELSE p.max_in_flight END - b.in_flight,
        -- A quarter of a second of its rate; at least one, because a lane with a low rate would never send.
        given.free_slots, CASE WHEN p.rate_per_second IS NOT NULL THEN GREATEST(1, ceil(p.rate_per_second * 0.25))::int END
      ) AS slots
    FROM webhook_lanes l JOIN webhook_endpoints p ON p.id = l.endpoint_id, LATERAL (
      SELECT count(*)::int AS in_flight FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane = l.lane AND d.claimed_until > moment
    ) b
    WHERE l.lane = ANY (locked) AND p.state = 'enabled' AND p.kind <> 'listener'
  ), candidates AS MATERIALIZED (
    SELECT o.lane, o.slots, o.is_healthy, o.account_id, d.message_id, d.endpoint_id, d.event_id, d.due_at, d.tries_left, e.waits_until
    FROM open o CROSS JOIN LATERAL (
      SELECT d.message_id, d.endpoint_id, d.lane, d.call_id, d.campaign_id, d.event_id, d.due_at, d.tries_left, d.in_order
      FROM webhook_deliveries d WHERE d.state = 'pending' AND d.lane = o.lane AND d.due_at <= moment
      ORDER BY d.due_at, d.event_id LIMIT LEAST(200, GREATEST(20, 6400 / cardinality(locked)))
    ) d CROSS JOIN LATERAL (
      -- An earlier event of the call, or of the campaign, that has not failed three times: by the tries that it has left, because attempts also
      -- count what was released, and what was before a replay. While one is in flight it stays due: its outcome, which skips
      -- rows that a claim has locked, must not leave it behind.
      SELECT max(CASE WHEN b.claimed_until > moment THEN d.due_at ELSE b.due_at END) AS waits_until
      FROM (
        SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
        WHERE c.state = 'pending' AND c.lane = d.lane AND c.call_id = d.call_id AND c.event_id < d.event_id
        UNION ALL
        SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
        WHERE c.state = 'pending' AND c.lane = d.lane AND c.campaign_id = d.campaign_id AND c.event_id < d.event_id
      ) b
      WHERE d.in_order AND b.in_order AND b.tries_left >= webhook_tries(o.kind) - 3
        AND (b.tries_left > webhook_tries(o.kind) - 3 OR b.claimed_until > moment)
    ) e
    WHERE o.slots > 0
  ), ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.lane ORDER BY c.due_at, c.event_id) AS place FROM candidates c
    WHERE c.waits_until IS NULL AND c.tries_left > 0
  ), in_turn AS (
    SELECT r.*, row_number() OVER (PARTITION BY r.account_id ORDER BY r.place, r.due_at, r.event_id) AS turn
    FROM ranked r WHERE r.place <= r.slots
  ), shared AS (
    SELECT t.*, row_number() OVER (PARTITION BY t.is_healthy ORDER BY t.turn, t.due_at, t.event_id) AS health_place
    FROM in_turn t
    WHERE given.most_per_account IS NULL
      OR t.turn + COALESCE((given.in_flight ->> t.account_id::text)::int, 0) <= given.most_per_account
  ), chosen AS MATERIALIZED (
    SELECT s.message_id, s.endpoint_id, s.is_healthy FROM shared s
    WHERE s.is_healthy OR s.health_place <= given.free_slots - given.free_slots_for_healthy_lanes
    ORDER BY s.turn, s.due_at, s.event_id LIMIT given.free_slots
  ), held AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, c.is_healthy FROM chosen c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries d SET attempts = d.attempts + 1, tries_left = d.tries_left - 1,
      claimed_until = moment + interval '60 seconds', due_at = moment + interval '60 seconds'
    FROM held h WHERE d.message_id = h.message_id AND d.endpoint_id = h.endpoint_id
    RETURNING d.message_id, d.endpoint_id, d.account_id, d.lane, d.type, d.call_id, d.attempts, d.tries_left, h.is_healthy
  ), paced AS (
    UPDATE webhook_lanes l SET not_before = moment + make_interval(secs => n.claims::float8 / o.rate_per_second)
    FROM open o JOIN (SELECT c.lane, count(*) AS claims FROM claimed c GROUP BY c.lane) n ON n.lane = o.lane
    WHERE l.lane = o.lane AND o.rate_per_second IS NOT NULL
    RETURNING l.lane, l.not_before
  ), blocked AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, c.waits_until FROM candidates c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE c.waits_until > c.due_at AND d.state = 'pending' AND d.due_at = c.due_at
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), moved AS (
    UPDATE webhook_deliveries d SET due_at = b.waits_until FROM blocked b
    WHERE d.message_id = b.message_id AND d.endpoint_id = b.endpoint_id
  ), spent AS MATERIALIZED (
    -- Its last attempt was claimed, and its worker is gone.
    SELECT d.message_id, d.endpoint_id FROM candidates c JOIN webhook_deliveries d
      ON d.message_id = c.message_id AND d.endpoint_id = c.endpoint_id
    WHERE c.tries_left <= 0 AND d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), ended AS (
    UPDATE webhook_deliveries d SET state = 'failed', claimed_until = NULL FROM spent s
    WHERE d.message_id = s.message_id AND d.endpoint_id = s.endpoint_id
  )
  SELECT c.message_id, c.endpoint_id, c.account_id, c.lane, p.kind, COALESCE(p.url, k.webhook_url), c.type, m.occurred_at,
    c.call_id, c.attempts, c.tries_left, c.is_healthy, p.api_version, p.sealed_secret,
    CASE WHEN p.previous_until > moment THEN p.previous_sealed_secret END, m.body, NULL::uuid, NULL::timestamptz
  FROM claimed c JOIN webhook_messages m ON m.id = c.message_id JOIN webhook_endpoints p ON p.id = c.endpoint_id
    LEFT JOIN calls k ON k.id = c.call_id AND p.kind = 'per_call'
  WHERE COALESCE(p.url, k.webhook_url) IS NOT NULL;

  RETURN QUERY
  SELECT NULL::uuid, NULL::uuid, NULL::uuid, NULL::uuid, NULL, NULL, NULL, NULL::timestamptz, NULL::uuid, NULL::int, NULL::int,
    NULL::boolean, NULL, NULL::bytea, NULL::bytea, NULL,
    CASE WHEN cardinality(walked) >= given.max_lanes THEN walked[cardinality(walked)] END,
    (SELECT min(GREATEST(u.due, l.not_before)) FROM unnest(walked, owners, dues) AS u(lane, owner, due)
       JOIN webhook_endpoints p ON p.id = u.owner AND p.state = 'enabled' AND p.kind <> 'listener'
       LEFT JOIN webhook_lanes l ON l.lane = u.lane
     WHERE GREATEST(u.due, l.not_before) > moment);
END $$;

-- Stores what came of attempts. Input: an array of {message_id, endpoint_id, attempt, lane, started_at_ms, duration_ms,
-- status, error, response_headers, response_body, worker_id, verdict, due_in_ms, lane_delay_ms}, in the order in which they
-- ended. Locks lanes, then endpoints, then deliveries, each by key; a lane only where its health changes. A body that could
-- not be formed is no failure of the receiver.
CREATE OR REPLACE FUNCTION finish_webhooks(batch jsonb)
RETURNS void LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  gone uuid;
BEGIN
  WITH input AS MATERIALIZED (
    SELECT r.lane, r.verdict, r.lane_delay_ms, r.place
    FROM ROWS FROM (jsonb_to_recordset(batch) AS (lane uuid, verdict text, error text, lane_delay_ms int)) WITH ORDINALITY
      AS r(lane, verdict, error, lane_delay_ms, place)
    WHERE r.error IS DISTINCT FROM 'body'
  ), summed AS MATERIALIZED (
    SELECT i.lane, bool_or(i.verdict = 'delivered') AS succeeded, max(i.lane_delay_ms) AS delay_ms,
      count(*) FILTER (WHERE i.verdict <> 'delivered' AND i.place > COALESCE(
        (SELECT max(s.place) FROM input s WHERE s.lane = i.lane AND s.verdict = 'delivered'), 0))::int AS failures
    FROM input i GROUP BY i.lane
  ), changed AS MATERIALIZED (
    SELECT l.lane FROM webhook_lanes l JOIN summed s ON s.lane = l.lane
    WHERE s.failures > 0 OR l.failures > 0 OR s.delay_ms > 0
      OR l.last_success_at IS NULL OR l.last_success_at < moment - interval '1 minute'
    ORDER BY l.lane FOR NO KEY UPDATE OF l
  )
  UPDATE webhook_lanes l SET
    failures = LEAST(1000000, s.failures + CASE WHEN s.succeeded THEN 0 ELSE l.failures END),
    failing_since = CASE WHEN s.failures = 0 THEN NULL WHEN s.succeeded THEN moment ELSE COALESCE(l.failing_since, moment) END,
    last_success_at = CASE WHEN s.succeeded THEN moment ELSE l.last_success_at END,
    not_before = CASE WHEN s.delay_ms > 0 THEN GREATEST(l.not_before, moment + s.delay_ms * interval '1 millisecond')
                      ELSE l.not_before END
  FROM changed c JOIN summed s ON s.lane = c.lane WHERE l.lane = c.lane;

  -- 410: the receiver says that it wants no more.
  FOR gone IN
    SELECT DISTINCT r.endpoint_id FROM jsonb_to_recordset(batch) AS r(endpoint_id uuid, verdict text)
    WHERE r.verdict = 'gone' ORDER BY 1
  LOOP
    PERFORM disable_webhook_endpoint(gone, 'gone');
  END LOOP;

  WITH input AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(batch) AS r(
      message_id uuid, endpoint_id uuid, attempt int, started_at_ms bigint, duration_ms int, status int, error text,
      response_headers jsonb, response_body text, worker_id text, verdict text, due_in_ms bigint)
  ), locked AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, d.lane, d.call_id, d.campaign_id, d.event_id, d.state, d.attempts, d.tries_left
    FROM input i JOIN webhook_deliveries d ON d.message_id = i.message_id AND d.endpoint_id = i.endpoint_id
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d
  ), logged AS (
    INSERT INTO webhook_attempts (message_id, endpoint_id, number, started_at, duration_ms, status, error, response_headers,
      response_body, worker_id)
    SELECT i.message_id, i.endpoint_id, i.attempt, from_epoch_ms(i.started_at_ms), i.duration_ms, i.status, i.error,
      i.response_headers, i.response_body, i.worker_id
    FROM input i JOIN locked l ON l.message_id = i.message_id AND l.endpoint_id = i.endpoint_id
    ON CONFLICT DO NOTHING
  ), judged AS MATERIALIZED (
    SELECT l.message_id, l.endpoint_id, l.lane, l.call_id, l.campaign_id, l.event_id, i.status, i.error, l.attempts,
      CASE WHEN i.verdict = 'delivered' THEN 'delivered'
           WHEN i.verdict = 'retry' AND l.tries_left > 0 THEN 'pending' ELSE 'failed' END AS state,
      moment + COALESCE(i.due_in_ms, 0) * interval '1 millisecond' AS due_at
    FROM locked l JOIN input i ON i.message_id = l.message_id AND i.endpoint_id = l.endpoint_id
    -- A success counts whoever has the claim by now; anything else only of the present attempt.
    WHERE (i.verdict = 'delivered' AND l.state <> 'delivered') OR (l.state = 'pending' AND l.attempts = i.attempt)
  ), written AS (
    UPDATE webhook_deliveries d SET state = j.state, claimed_until = NULL, last_status = j.status, last_error = j.error,
      due_at = CASE WHEN j.state = 'pending' THEN j.due_at ELSE d.due_at END,
      delivered_at = CASE WHEN j.state = 'delivered' THEN moment ELSE d.delivered_at END
    FROM judged j WHERE d.message_id = j.message_id AND d.endpoint_id = j.endpoint_id
  ), later AS MATERIALIZED (
    -- Later events of the call that wait for this one: they become due when it is tried again, or now.
    SELECT d.message_id, d.endpoint_id,
      CASE WHEN j.state = 'pending' AND j.attempts < 3 THEN j.due_at ELSE moment END AS due_at
    FROM judged j JOIN webhook_deliveries d ON d.state = 'pending' AND d.lane = j.lane AND d.call_id = j.call_id
      AND d.event_id > j.event_id
    WHERE d.attempts = 0 AND d.in_order
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), later_of_campaigns AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id,
      CASE WHEN j.state = 'pending' AND j.attempts < 3 THEN j.due_at ELSE moment END AS due_at
    FROM judged j JOIN webhook_deliveries d ON d.state = 'pending' AND d.lane = j.lane AND d.campaign_id = j.campaign_id
      AND d.event_id > j.event_id
    WHERE d.attempts = 0 AND d.in_order
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), latest AS (
    SELECT l.message_id, l.endpoint_id, max(l.due_at) AS due_at
    FROM (SELECT * FROM later UNION ALL SELECT * FROM later_of_campaigns) l GROUP BY l.message_id, l.endpoint_id
  )
  UPDATE webhook_deliveries d SET due_at = l.due_at FROM latest l
  WHERE d.message_id = l.message_id AND d.endpoint_id = l.endpoint_id AND d.attempts = 0;
END $$;

-- Hands out deliveries that are due for listeners, and keeps the listeners alive. Input: {listening: an array of
-- {listener_id, account_id, room}, most}. Returns a row for each delivery, in the order of events, and one without a message
-- for each listener that lives and gets nothing. A listener that is missing is gone.
--
-- The order of a call, or of a campaign, is that of `claim_webhooks`: an event waits for the one before it. Accounts take turns. Nothing is
-- locked but the deliveries that are handed out: two processes that hand out for one listener at once may exceed its limit
-- in flight, and never hand out one delivery twice.
CREATE OR REPLACE FUNCTION hear_webhooks(input jsonb)
RETURNS TABLE (
  listener_id uuid, account_id uuid, message_id uuid, type text, occurred_at timestamptz, call_id uuid, attempts int,
  tries_left int, api_version text, sealed_secret bytea, previous_sealed_secret bytea, body text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  moment constant timestamptz := clock_timestamp();
  is_paused constant boolean := COALESCE((SELECT s.webhooks_paused FROM system_settings s WHERE s.id = 1), false);
BEGIN
  -- Not at each look: a stream looks every second.
  WITH ending AS MATERIALIZED (
    SELECT p.id FROM jsonb_to_recordset(input -> 'listening') AS r(listener_id uuid, account_id uuid)
      JOIN webhook_endpoints p ON p.id = r.listener_id AND p.account_id = r.account_id
    WHERE p.kind = 'listener' AND p.state = 'enabled' AND p.expires_at > moment
      AND p.expires_at < moment + interval '90 seconds'
    ORDER BY p.id FOR NO KEY UPDATE OF p SKIP LOCKED
  )
  UPDATE webhook_endpoints p SET expires_at = moment + interval '2 minutes' FROM ending e WHERE p.id = e.id;

  RETURN QUERY
  WITH listening AS MATERIALIZED (
    SELECT p.id, p.account_id, p.api_version, p.sealed_secret,
      CASE WHEN p.previous_until > moment THEN p.previous_sealed_secret END AS previous_sealed_secret,
      CASE WHEN is_paused THEN 0 ELSE LEAST(r.room, p.max_in_flight - b.in_flight) END AS slots
    FROM jsonb_to_recordset(input -> 'listening') AS r(listener_id uuid, account_id uuid, room int)
      JOIN webhook_endpoints p ON p.id = r.listener_id AND p.account_id = r.account_id, LATERAL (
        SELECT count(*)::int AS in_flight FROM webhook_deliveries d
        WHERE d.state = 'pending' AND d.lane = p.id AND d.claimed_until > moment
      ) b
    WHERE p.kind = 'listener' AND p.state = 'enabled' AND p.expires_at > moment
  ), candidates AS MATERIALIZED (
    SELECT l.id, l.account_id, l.slots, d.message_id, d.event_id, d.due_at, d.tries_left, e.waits_until
    FROM listening l CROSS JOIN LATERAL (
      SELECT d.message_id, d.lane, d.call_id, d.campaign_id, d.event_id, d.due_at, d.tries_left, d.in_order FROM webhook_deliveries d
      WHERE d.state = 'pending' AND d.lane = l.id AND d.due_at <= moment ORDER BY d.due_at, d.event_id LIMIT 50
    ) d CROSS JOIN LATERAL (
      SELECT max(CASE WHEN b.claimed_until > moment THEN d.due_at ELSE b.due_at END) AS waits_until
      FROM (
        SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
        WHERE c.state = 'pending' AND c.lane = d.lane AND c.call_id = d.call_id AND c.event_id < d.event_id
        UNION ALL
        SELECT c.due_at, c.claimed_until, c.tries_left, c.in_order FROM webhook_deliveries c
        WHERE c.state = 'pending' AND c.lane = d.lane AND c.campaign_id = d.campaign_id AND c.event_id < d.event_id
      ) b
      WHERE d.in_order AND b.in_order AND b.tries_left >= webhook_tries('listener') - 3
        AND (b.tries_left > webhook_tries('listener') - 3 OR b.claimed_until > moment)
    ) e
    WHERE l.slots > 0
  ), ranked AS (
    SELECT c.*, row_number() OVER (PARTITION BY c.id ORDER BY c.due_at, c.event_id) AS place FROM candidates c
    WHERE c.tries_left > 0 AND c.waits_until IS NULL
  ), in_turn AS (
    SELECT r.*, row_number() OVER (PARTITION BY r.account_id ORDER BY r.place, r.due_at, r.event_id) AS turn
    FROM ranked r WHERE r.place <= r.slots
  ), chosen AS MATERIALIZED (
    SELECT t.message_id, t.id FROM in_turn t ORDER BY t.turn, t.due_at, t.event_id LIMIT (input ->> 'most')::int
  ), held AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id FROM chosen c
      JOIN webhook_deliveries d ON d.message_id = c.message_id AND d.endpoint_id = c.id
    WHERE d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), taken AS (
    -- A receiver has 15 seconds, and the report of its response the rest.
    UPDATE webhook_deliveries d SET attempts = d.attempts + 1, tries_left = d.tries_left - 1,
      claimed_until = moment + interval '30 seconds', due_at = moment + interval '30 seconds'
    FROM held h WHERE d.message_id = h.message_id AND d.endpoint_id = h.endpoint_id
    RETURNING d.message_id, d.endpoint_id, d.type, d.call_id, d.event_id, d.attempts, d.tries_left
  ), blocked AS MATERIALIZED (
    SELECT d.message_id, d.endpoint_id, c.waits_until FROM candidates c
      JOIN webhook_deliveries d ON d.message_id = c.message_id AND d.endpoint_id = c.id
    WHERE c.waits_until > c.due_at AND d.state = 'pending' AND d.due_at = c.due_at
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), moved AS (
    UPDATE webhook_deliveries d SET due_at = b.waits_until FROM blocked b
    WHERE d.message_id = b.message_id AND d.endpoint_id = b.endpoint_id
  ), spent AS MATERIALIZED (
    -- Handed out as often as it may be, without a result.
    SELECT d.message_id, d.endpoint_id FROM candidates c
      JOIN webhook_deliveries d ON d.message_id = c.message_id AND d.endpoint_id = c.id
    WHERE c.tries_left <= 0 AND d.state = 'pending' AND d.due_at <= moment
    ORDER BY d.message_id, d.endpoint_id FOR UPDATE OF d SKIP LOCKED
  ), ended AS (
    UPDATE webhook_deliveries d SET state = 'failed', claimed_until = NULL FROM spent s
    WHERE d.message_id = s.message_id AND d.endpoint_id = s.endpoint_id
  )
  SELECT l.id, l.account_id, m.id, t.type, m.occurred_at, t.call_id, t.attempts, t.tries_left, l.api_version,
    l.sealed_secret, l.previous_sealed_secret, m.body
  FROM listening l LEFT JOIN (taken t JOIN webhook_messages m ON m.id = t.message_id) ON t.endpoint_id = l.id
  ORDER BY t.event_id;
END $$;

-- Every path that changes the state of a campaign fires it.
CREATE OR REPLACE TRIGGER campaigns_announced AFTER UPDATE OF state ON campaigns
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_campaign_state();
