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
