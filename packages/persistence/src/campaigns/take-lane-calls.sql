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
