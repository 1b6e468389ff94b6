-- outdial: no transaction
-- The accounts whose analyses wait, and the longest due of each.
CREATE INDEX CONCURRENTLY IF NOT EXISTS model_calls_pending_analysis_account_idx ON model_calls (analysis_account_id, analysis_due_at) WHERE analysis_status = 'pending';
