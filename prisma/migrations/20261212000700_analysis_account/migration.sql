-- Whose analysis is pending: each account gets its share of the workers. Only adds.
ALTER TABLE "model_calls" ADD COLUMN "analysis_account_id" UUID;
