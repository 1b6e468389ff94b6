-- Whether nothing waits for an ended call any more: neither its analysis, nor the totals, nor its campaign.
CREATE OR REPLACE FUNCTION is_call_done(call uuid, account uuid, campaign uuid) RETURNS boolean
LANGUAGE plpgsql STABLE SET jit = off SET enable_seqscan = off AS $$
BEGIN
  RETURN NOT EXISTS (SELECT FROM uncounted_calls u WHERE u.account_id = account AND u.call_id = call)
    AND NOT EXISTS (SELECT FROM model_calls m WHERE m.call_id = call AND m.analysis_status = 'pending')
    AND NOT EXISTS (SELECT FROM campaigns g WHERE g.id = campaign AND g.ended_at IS NULL);
END $$;
