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
