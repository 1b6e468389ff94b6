-- Analyses that became pending before the trigger.
UPDATE "model_calls" m SET "analysis_account_id" = c."account_id"
FROM "calls" c
WHERE c."id" = m."call_id" AND m."analysis_status" = 'pending' AND m."analysis_account_id" IS NULL;
