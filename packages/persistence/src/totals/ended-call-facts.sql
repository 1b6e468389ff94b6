-- What is counted of an ended call. Half hours begin on the hour and the half hour of UTC, and so in nearly every time
-- zone. A call that was never dialed waited until it ended; one that was scheduled waits from its admission on.
CREATE OR REPLACE VIEW "ended_call_facts" AS
SELECT c.id, c.account_id, c.agent_id, c.caller_number, c.callee_number, c.metadata, c.created_at, c.ended_reason,
  to_timestamp(floor(extract(epoch FROM c.ended_at) / 1800) * 1800)::timestamptz(3) AS starts_at,
  (c.answered_at IS NOT NULL)::int AS answered, c.cost_micros,
  round(GREATEST(0, CASE WHEN c.reservation_id IS NOT NULL
    THEN extract(epoch FROM c.started_at - COALESCE(c.queued_at, c.created_at)) END) * 1000)::bigint AS waiting_ms,
  round(extract(epoch FROM COALESCE(c.answered_at, c.ended_at) - c.started_at) * 1000)::bigint AS ringing_ms,
  round(extract(epoch FROM c.ended_at - COALESCE(c.answered_at, c.ended_at)) * 1000)::bigint AS talking_ms
FROM calls c WHERE c.status = 'ended';
