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
