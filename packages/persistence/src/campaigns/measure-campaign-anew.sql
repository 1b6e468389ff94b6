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
