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
