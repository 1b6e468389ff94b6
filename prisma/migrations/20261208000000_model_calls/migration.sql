-- Calls that models conduct. Only adds: the version before runs on it unchanged, and has no such calls.

-- Nothing uses them in this migration: Postgres allows that only after the commit.
ALTER TYPE "ended_reason" ADD VALUE 'provider_unavailable' AFTER 'agent_error';
ALTER TYPE "ended_reason" ADD VALUE 'provider_rejected' AFTER 'provider_unavailable';

-- CreateTable
CREATE TABLE "model_calls" (
    "call_id" UUID NOT NULL,
    "driver" TEXT NOT NULL,
    "needs" JSONB NOT NULL DEFAULT '[]',
    "rates" JSONB NOT NULL DEFAULT '[]',
    "estimate_micros_per_minute" BIGINT NOT NULL DEFAULT 0,
    "lines" JSONB,
    "usage" JSONB NOT NULL DEFAULT '[]',
    "usage_cost_micros" BIGINT NOT NULL DEFAULT 0,
    "analysis_status" TEXT NOT NULL DEFAULT 'none',
    "analysis" JSONB,

    CONSTRAINT "model_calls_pkey" PRIMARY KEY ("call_id")
);

-- AddForeignKey
ALTER TABLE "model_calls" ADD CONSTRAINT "model_calls_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "model_calls"
    ADD CONSTRAINT "model_calls_estimate_check" CHECK ("estimate_micros_per_minute" >= 0),
    ADD CONSTRAINT "model_calls_usage_cost_check" CHECK ("usage_cost_micros" >= 0),
    ADD CONSTRAINT "model_calls_analysis_status_check" CHECK (
        "analysis_status" IN ('none', 'pending', 'completed', 'failed', 'skipped'));
