-- Puts the callee of a call on the do-not-call list of its account, as an opt-out that a person passed on. Input:
-- {account_id, call_id, source, reason, actor}. Output: the entry; no row for a call that the account does not have.
--
-- The call is locked first, and the next statement of a VOLATILE function takes a new snapshot: so the timeline says it
-- once, however many requests arrive at once. Nothing here reads the epoch: what the callee said holds in every status.
CREATE OR REPLACE FUNCTION opt_out_call(batch jsonb) RETURNS TABLE (suppression_id uuid, is_new boolean)
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  call record;
  added uuid;
BEGIN
  SELECT c.id, c.account_id, substr(c.callee_number, 2)::bigint AS number,
    GREATEST(c.created_at, c.started_at, c.answered_at) AS after
  INTO call
  FROM calls c WHERE c.id = (batch->>'call_id')::uuid AND c.account_id = (batch->>'account_id')::uuid
  FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO suppressions (account_id, number, kind, source, reason, call_id, created_by, created_at)
  VALUES (call.account_id, call.number, 'opt_out', batch->>'source', batch->>'reason', call.id, batch->>'actor',
    clock_timestamp())
  ON CONFLICT (number, account_id, kind) WHERE removed_at IS NULL DO NOTHING RETURNING id INTO added;
  INSERT INTO call_events (call_id, at, type, data)
  SELECT call.id, GREATEST(clock_timestamp(), call.after), 'opted_out',
    jsonb_strip_nulls(jsonb_build_object('evidence', 'request', 'note', batch->>'reason'))
  WHERE NOT EXISTS (SELECT FROM call_events x WHERE x.call_id = call.id AND x.type = 'opted_out');
  IF added IS NOT NULL THEN
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    VALUES (batch->>'actor', 'suppression.opt_out', 'suppression', added::text,
      jsonb_build_object('account_id', call.account_id, 'call_id', call.id));
  END IF;
  RETURN QUERY SELECT s.id, added IS NOT NULL FROM suppressions s
    WHERE s.number = call.number AND s.account_id = call.account_id AND s.kind = 'opt_out' AND s.removed_at IS NULL;
END $$;
