-- Puts numbers on the do-not-call list of an account, or of the platform (`account_id` null). Input: {account_id, numbers,
-- source, reason, actor, action, audit_id, most}; numbers are digits. Output: one row.
--
-- The row of `suppression_counts` is locked first, and each statement of a VOLATILE function takes a new snapshot: so what
-- counts as new is exact, and two adds cannot pass the bound together. A number that is in force already, by whatever kind
-- of entry, stays as it is. The audit row names how many numbers were added, and none of them. With `audit_id`, they are
-- added to that row: an import has one, however many statements it takes.
CREATE OR REPLACE FUNCTION add_suppressions(batch jsonb) RETURNS TABLE (outcome text, added int, audit_id bigint)
LANGUAGE plpgsql VOLATILE SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  owner uuid := (batch->>'account_id')::uuid;
  audited bigint := (batch->>'audit_id')::bigint;
  listed int := 0;
  fresh bigint[];
  inserted int;
BEGIN
  IF owner IS NOT NULL THEN
    INSERT INTO suppression_counts AS c (account_id) SELECT a.id FROM accounts a WHERE a.id = owner
      ON CONFLICT (account_id) DO UPDATE SET manual = c.manual RETURNING c.manual INTO listed;
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'account_not_found', 0, audited;
      RETURN;
    END IF;
  END IF;
  -- One order for everybody: two adds to the platform's list must not wait for each other.
  fresh := ARRAY(
    SELECT DISTINCT n.digits::bigint FROM jsonb_array_elements_text(batch->'numbers') AS n(digits)
    WHERE NOT EXISTS (
      SELECT FROM suppressions s WHERE s.number = n.digits::bigint AND s.removed_at IS NULL
        AND (s.account_id = owner OR owner IS NULL AND s.account_id IS NULL))
    ORDER BY 1);
  IF owner IS NOT NULL AND listed + cardinality(fresh) > (batch->>'most')::int THEN
    RETURN QUERY SELECT 'too_many', 0, audited;
    RETURN;
  END IF;
  INSERT INTO suppressions (account_id, number, kind, source, reason, created_by, created_at)
  SELECT owner, f.number, 'manual', batch->>'source', batch->>'reason', batch->>'actor', clock_timestamp()
  FROM unnest(fresh) AS f(number)
  ON CONFLICT (number, account_id, kind) WHERE removed_at IS NULL DO NOTHING;
  GET DIAGNOSTICS inserted = ROW_COUNT;
  IF inserted > 0 THEN
    UPDATE suppression_counts SET manual = manual + inserted WHERE account_id = owner;
    IF audited IS NULL THEN
      INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
      SELECT batch->>'actor', batch->>'action', 'suppression', COALESCE(owner::text, 'platform'),
        jsonb_strip_nulls(jsonb_build_object(
          'account_id', owner, 'added', inserted, 'source', batch->>'source', 'reason', batch->>'reason'))
      RETURNING id INTO audited;
    ELSE
      UPDATE audit_entries SET data = jsonb_set(data, '{added}', to_jsonb((data->>'added')::int + inserted))
      WHERE id = audited;
    END IF;
  END IF;
  RETURN QUERY SELECT 'added', inserted, audited;
END $$;

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
