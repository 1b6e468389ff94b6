-- Why no call of a campaign may be dialed at this moment: it is `over`, `paused`, past its end (`ended`), or its own hours are
-- `closed`. Null: it calls. Who grants a dial asks it: a call may have waited in the queue for minutes since its admission.
CREATE OR REPLACE FUNCTION campaign_forbids(campaign uuid, moment timestamptz) RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN g.state IN ('cancelling', 'cancelled', 'completed') THEN 'over'
    WHEN g.state <> 'running' THEN 'paused'
    WHEN g.ends_at <= moment THEN 'ended'
    WHEN g.window IS NOT NULL AND is_window_closed(
      jsonb_build_object('windows', jsonb_build_object('default', g.window->'days'), 'closed_days', '[]'::jsonb),
      ARRAY[g.window->>'time_zone'], '{}', moment) THEN 'closed' END
  FROM campaigns g WHERE g.id = campaign
$$;
