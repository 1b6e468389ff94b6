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
