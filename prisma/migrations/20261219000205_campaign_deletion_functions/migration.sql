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
  had int;
  added int;
  moment timestamptz;
BEGIN
  SELECT g.state, g.contact_count INTO found_state, had FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF found_state IN ('cancelling', 'cancelled', 'completed')
  THEN RETURN QUERY SELECT 'campaign_state', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  -- What is left of a failed upload would make duplicates of contacts that come.
  IF EXISTS (SELECT FROM campaign_uploads u
    WHERE u.campaign_id = campaign AND (u.state = 'receiving' OR u.state = 'failed' AND u.accepted > 0))
  THEN RETURN QUERY SELECT 'upload_in_progress', found_state, 0, 0, NULL::timestamptz; RETURN; END IF;
  moment := clock_timestamp();
  SELECT COALESCE(max(u.number), 0) + 1 INTO upload_number FROM campaign_uploads u WHERE u.campaign_id = campaign;
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
  UPDATE campaigns g SET contact_count = g.contact_count + added WHERE g.id = campaign;
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
  had int;
  kept int;
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
  GET DIAGNOSTICS kept = ROW_COUNT;
  -- Nothing else of the campaign becomes ready while this upload is received.
  SELECT g.contact_count INTO had FROM campaigns g WHERE g.id = campaign;
  UPDATE campaign_uploads u
  SET rows = u.rows + given + bad, accepted = u.accepted + added, duplicates = u.duplicates + given - added,
      invalid = u.invalid + bad, error_count = u.error_count + kept, moved_at = clock_timestamp()
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
  SELECT g.state INTO found_state FROM campaigns g WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL
  FOR NO KEY UPDATE;
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
  SELECT g.* INTO before FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL FOR NO KEY UPDATE;
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

-- Deletes a campaign of an account that calls nobody: a draft, or one that is over. No row: the account has no such campaign.
--
-- It is hidden at once, and no longer counts. Its contacts, up to a million, are removed later: see remove_deleted_campaign. Its
-- calls stay as they are, and so does its row, which they name. Who adds contacts, changes or starts it locks the same row, and
-- does not find it afterwards.
CREATE OR REPLACE FUNCTION delete_campaign(account uuid, campaign uuid, who text) RETURNS TABLE (outcome text, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  found_state text;
BEGIN
  SELECT g.state INTO found_state FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  IF found_state NOT IN ('draft', 'cancelled', 'completed')
  THEN RETURN QUERY SELECT 'campaign_state', found_state; RETURN; END IF;
  IF EXISTS (SELECT FROM campaign_uploads u WHERE u.campaign_id = campaign AND u.state = 'receiving')
  THEN RETURN QUERY SELECT 'upload_in_progress', found_state; RETURN; END IF;
  UPDATE campaigns g SET deleted_at = clock_timestamp() WHERE g.id = campaign;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  VALUES (who, 'campaign.delete', 'campaign', campaign, jsonb_build_object('account_id', account, 'state', found_state));
  RETURN QUERY SELECT 'deleted', found_state;
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
  UPDATE campaigns g SET contact_count = g.contact_count + upload_row.accepted WHERE g.id = campaign;
  INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
  SELECT who, 'campaign.add_contacts', 'campaign', campaign::text,
    jsonb_build_object('account_id', g.account_id, 'upload', upload, 'accepted', upload_row.accepted)
  FROM campaigns g WHERE g.id = campaign;
  IF found_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  RETURN QUERY SELECT 'ready', found_state;
END $$;

-- Whether nobody else has locked what a move of a campaign changes besides its own row. Locks it, and waits for nothing. Notices and
-- webhooks name its account. A turn that does not exist may be about to: another transaction may insert it.
CREATE OR REPLACE FUNCTION is_campaign_free(campaign uuid, account uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off
AS $$
BEGIN
  PERFORM FROM accounts a WHERE a.id = account FOR KEY SHARE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM FROM campaign_lanes n WHERE n.campaign_id = campaign FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN false; END IF;
  IF next_campaign_state(campaign) IS DISTINCT FROM 'running' THEN RETURN true; END IF;
  PERFORM FROM dial_turns t WHERE t.account_id = account FOR NO KEY UPDATE SKIP LOCKED;
  RETURN FOUND;
END $$;

-- Moves a campaign on that does so by itself: see next_campaign_state. Returns its new state; no row: it stays. Tells the account
-- of one that is completed, and of one that has used up its budget. What a settlement schedules for a campaign that is over is
-- ended by the next sweep of campaigns.
--
-- It locks the campaign, and looks again in the next statement: an upload that became ready before locked it too. It waits for
-- what another transaction has locked a moment, and no longer.
CREATE OR REPLACE FUNCTION move_campaign(campaign uuid) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  next_state text;
  moment timestamptz;
BEGIN
  PERFORM FROM campaigns g WHERE g.id = campaign FOR NO KEY UPDATE;
  next_state := next_campaign_state(campaign);
  IF next_state IS NULL THEN RETURN; END IF;
  moment := clock_timestamp();
  RETURN QUERY
  UPDATE campaigns g
  SET state = next_state, started_at = CASE WHEN next_state = 'running' THEN COALESCE(g.started_at, moment) ELSE g.started_at END,
      ended_at = CASE WHEN next_state IN ('completed', 'cancelled') THEN moment END
  WHERE g.id = campaign RETURNING g.id, g.account_id, g.state;
  INSERT INTO account_notices (account_id, kind, data)
  SELECT g.account_id, CASE next_state WHEN 'completed' THEN 'campaign_completed' ELSE 'campaign_budget' END,
    jsonb_build_object('campaign_id', g.id, 'name', g.name)
  FROM campaigns g WHERE g.id = campaign AND next_state IN ('completed', 'paused')
    -- Of twenty things a day at most: each notice is an e-mail, and a campaign may be resumed without end.
    AND (
      SELECT count(*) FROM (
        SELECT FROM account_notices o WHERE o.account_id = g.account_id AND o.created_at > moment - interval '1 day' LIMIT 20) n) < 20;
  IF next_state = 'running' THEN PERFORM make_campaign_due(campaign, moment); END IF;
  PERFORM measure_campaign_anew(campaign, CASE WHEN next_state = 'running' THEN moment END);
END $$;

-- Moves campaigns on that do so by themselves, at most so many: see move_campaign. Returns each with its new state; without one:
-- another transaction has locked what it would change, and it is left to a statement that waits for that alone. So no account
-- delays the campaigns of another one, whatever it has locked.
CREATE OR REPLACE FUNCTION move_campaigns(most int) RETURNS TABLE (campaign_id uuid, account_id uuid, state text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '100ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  candidate record;
  looked_at constant timestamptz := clock_timestamp();
BEGIN
  FOR candidate IN
    -- A paused campaign is looked at once its end has come: there may be thousands.
    SELECT g.id, g.account_id FROM campaigns g WHERE g.id = ANY (ARRAY(
      SELECT x.id FROM (
        SELECT c.id FROM campaigns c WHERE c.state IN ('scheduled', 'running', 'cancelling')
        UNION ALL SELECT c.id FROM campaigns c WHERE c.state = 'paused' AND c.ends_at <= looked_at
      ) x WHERE next_campaign_state(x.id) IS NOT NULL LIMIT most))
    ORDER BY g.id FOR NO KEY UPDATE SKIP LOCKED
  LOOP
    IF is_campaign_free(candidate.id, candidate.account_id) THEN RETURN QUERY SELECT m.* FROM move_campaign(candidate.id) m;
    ELSE RETURN QUERY SELECT candidate.id, candidate.account_id, NULL::text;
    END IF;
  END LOOP;
END $$;

-- Removes what a deleted campaign has left, at most so many rows: contacts, how their calls ended, problems of files, uploads. Its
-- row goes too if it never did anything; else it stays, with its counts, for the calls and the webhooks that name it. Returns how
-- many rows it has removed, and one more; 0: there is nothing left that nobody else removes.
--
-- A campaign waits for its last call: the statement that ends one writes how its contact ended, and may schedule a retry that a
-- sweep ends. Nothing is admitted of a campaign that is over, so none comes after that. What is removed is never updated: the place
-- of a row is the row.
CREATE OR REPLACE FUNCTION remove_deleted_campaign(most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  campaign uuid;
  removed int;
  total int := 0;
BEGIN
  SELECT g.id INTO campaign FROM campaigns g
  WHERE g.deleted_at IS NOT NULL AND g.emptied_at IS NULL
    AND NOT EXISTS (SELECT FROM calls c WHERE c.campaign_id = g.id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL)
    AND NOT EXISTS (SELECT FROM call_schedules s WHERE s.campaign_id = g.id AND s.is_waiting)
  ORDER BY g.deleted_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;

  DELETE FROM campaign_contacts t WHERE t.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_contacts x WHERE x.campaign_id = campaign LIMIT most));
  GET DIAGNOSTICS removed = ROW_COUNT;
  total := total + removed;
  DELETE FROM campaign_outcomes o WHERE o.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_outcomes x WHERE x.campaign_id = campaign LIMIT most - total));
  GET DIAGNOSTICS removed = ROW_COUNT;
  total := total + removed;
  DELETE FROM campaign_upload_errors e WHERE e.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_upload_errors x WHERE x.campaign_id = campaign LIMIT most - total));
  GET DIAGNOSTICS removed = ROW_COUNT;
  total := total + removed;
  IF total < most THEN
    DELETE FROM campaign_uploads u WHERE (u.campaign_id, u.number) IN (
      SELECT x.campaign_id, x.number FROM campaign_uploads x WHERE x.campaign_id = campaign ORDER BY x.number LIMIT most - total);
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
  END IF;
  IF total < most THEN
    IF EXISTS (SELECT FROM calls c WHERE c.campaign_id = campaign) OR EXISTS (SELECT FROM campaign_events e WHERE e.campaign_id = campaign)
    THEN UPDATE campaigns g SET emptied_at = clock_timestamp() WHERE g.id = campaign;
    ELSE DELETE FROM campaigns g WHERE g.id = campaign;
    END IF;
  END IF;
  RETURN total + 1;
END $$;

-- Removes problems of an upload that ended before `kept`, at most so many, of the one that ended first. Its counts stay. Returns how
-- many, and one more; 0: there is nothing left that nobody else removes.
CREATE OR REPLACE FUNCTION remove_old_upload_errors(kept interval, most int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s' SET jit = off SET enable_seqscan = off
AS $$
DECLARE
  old record;
  removed int;
BEGIN
  SELECT u.campaign_id, u.number INTO old FROM campaign_uploads u
  WHERE u.error_count > 0 AND u.ended_at < clock_timestamp() - kept
  ORDER BY u.ended_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  DELETE FROM campaign_upload_errors e WHERE e.ctid = ANY (ARRAY(
    SELECT x.ctid FROM campaign_upload_errors x WHERE x.campaign_id = old.campaign_id AND x.upload = old.number LIMIT most));
  GET DIAGNOSTICS removed = ROW_COUNT;
  UPDATE campaign_uploads u SET error_count = CASE WHEN removed < most THEN 0 ELSE GREATEST(1, u.error_count - removed) END
  WHERE u.campaign_id = old.campaign_id AND u.number = old.number;
  RETURN removed + 1;
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
  SELECT g.* INTO before FROM campaigns g
  WHERE g.id = campaign AND g.account_id = account AND g.deleted_at IS NULL FOR NO KEY UPDATE;
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
