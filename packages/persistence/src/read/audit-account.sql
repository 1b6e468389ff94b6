-- Which account an audit entry belongs to, so that owners read their own. A function rather than a column: it covers the
-- entries from before it, and those that an older version still writes.
CREATE OR REPLACE FUNCTION audit_account(subject_type text, subject_id text, data jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN subject_type IN ('account', 'wallet', 'destination') THEN subject_id ELSE data ->> 'account_id' END
$$;
