-- The webhook that an event of a timeline becomes; null: none is sent. Repeats WEBHOOK_TYPE_OF_EVENT of the contracts.
CREATE OR REPLACE FUNCTION webhook_type(event_type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE event_type
    WHEN 'scheduled' THEN 'call.scheduled'
    WHEN 'queued' THEN 'call.queued'
    WHEN 'dialing' THEN 'call.dialing'
    WHEN 'ringing' THEN 'call.ringing'
    WHEN 'in_progress' THEN 'call.answered'
    WHEN 'ended' THEN 'call.ended'
    WHEN 'answered_by' THEN 'call.answered_by'
    WHEN 'recording_available' THEN 'call.recording_ready'
    WHEN 'analyzed' THEN 'call.analyzed'
    WHEN 'opted_out' THEN 'call.opted_out'
  END
$$;
