-- Which account an audit entry belongs to, so that owners read their own. An expression rather than a column: it holds
-- for the entries that are there already, and for those that an older version still writes.
CREATE FUNCTION audit_account(subject_type text, subject_id text, data jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT CASE WHEN subject_type IN ('account', 'wallet', 'destination') THEN subject_id ELSE data ->> 'account_id' END
$$;

CREATE INDEX "audit_entries_account_idx" ON "audit_entries"
    ((audit_account("subject_type", "subject_id", "data")), "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entries_subject_type_id_idx" ON "audit_entries"("subject_type", "id" DESC);
