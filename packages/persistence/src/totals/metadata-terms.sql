-- The top level of a call's metadata as search terms, in lower case. Text that Postgres cannot hold, such as \u0000,
-- makes a call without terms: an error would stop the counting for every account.
CREATE OR REPLACE FUNCTION metadata_terms(metadata json) RETURNS TABLE (key text, value text) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT DISTINCT lower(left(e.key, 100)), lower(left(e.value #>> '{}', 200)) FROM (
      SELECT m.key, m.value FROM json_each(metadata) m
      WHERE json_typeof(m.value) IN ('string', 'number', 'boolean') LIMIT 32
    ) e;
EXCEPTION WHEN data_exception THEN
  RETURN;
END $$;
