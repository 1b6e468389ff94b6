-- Makes scheduled calls findable by number and metadata, as the counting does for ended ones: there may be too many of them for
-- a search to scan. It inserts in one order, so that two statements with the same numbers do not wait for each other.
CREATE OR REPLACE FUNCTION add_scheduled_calls(ids uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  INSERT INTO called_numbers (account_id, number)
  SELECT DISTINCT c.account_id, c.callee_number FROM calls c WHERE c.id = ANY (ids)
  ORDER BY c.account_id, c.callee_number
  ON CONFLICT DO NOTHING;

  INSERT INTO call_terms (account_id, value, created_at, call_id, key)
  SELECT c.account_id, m.value, c.created_at, c.id, m.key
  FROM calls c, LATERAL metadata_terms(c.metadata) m WHERE c.id = ANY (ids) AND m.value <> ''
  ORDER BY c.account_id, m.value, c.created_at, c.id, m.key
  ON CONFLICT DO NOTHING;
END $$;
