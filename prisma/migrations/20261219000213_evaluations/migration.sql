-- Conversations of agents with simulated callees. Only adds: the version before runs on it unchanged.

-- CreateTable
CREATE TABLE "evaluations" (
    "id" UUID NOT NULL,
    "sequence" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "agent_version" INTEGER NOT NULL,
    "llm" JSONB NOT NULL,
    "idempotency_key" TEXT,
    "request_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "cancelled_at" TIMESTAMPTZ(3),

    CONSTRAINT "evaluations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "evaluation_runs" (
    "id" UUID NOT NULL,
    "evaluation_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "scenario" JSONB NOT NULL,
    "driver" TEXT NOT NULL,
    "needs" JSONB NOT NULL,
    "rates" JSONB NOT NULL,
    "hold_micros" BIGINT NOT NULL,
    "reservation_id" UUID NOT NULL,
    "try_id" UUID,
    "verdict" TEXT,
    "problem" TEXT,
    "ended_reason" TEXT,
    "judgments" JSONB NOT NULL DEFAULT '[]',
    "transcript" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "evaluation_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_scenarios" (
    "agent_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "scenarios" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_scenarios_pkey" PRIMARY KEY ("agent_id")
);

-- CreateIndex
CREATE INDEX "evaluations_agent_id_sequence_idx" ON "evaluations"("agent_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "evaluations_account_id_idempotency_key_key" ON "evaluations"("account_id", "idempotency_key");

-- CreateIndex
CREATE UNIQUE INDEX "evaluation_runs_try_id_key" ON "evaluation_runs"("try_id");

-- CreateIndex
CREATE INDEX "evaluation_runs_account_id_created_at_idx" ON "evaluation_runs"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "evaluation_runs_evaluation_id_position_key" ON "evaluation_runs"("evaluation_id", "position");

-- AddForeignKey
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "evaluations" ADD CONSTRAINT "evaluations_agent_id_agent_version_fkey" FOREIGN KEY ("agent_id", "agent_version") REFERENCES "agent_versions"("agent_id", "version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "evaluation_runs" ADD CONSTRAINT "evaluation_runs_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "evaluation_runs" ADD CONSTRAINT "evaluation_runs_evaluation_id_fkey" FOREIGN KEY ("evaluation_id") REFERENCES "evaluations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "evaluation_runs" ADD CONSTRAINT "evaluation_runs_try_id_fkey" FOREIGN KEY ("try_id") REFERENCES "agent_tries"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_scenarios" ADD CONSTRAINT "agent_scenarios_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_scenarios" ADD CONSTRAINT "agent_scenarios_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "evaluations"
    ADD CONSTRAINT "evaluations_key_check" CHECK (("idempotency_key" IS NULL) = ("request_hash" IS NULL));

ALTER TABLE "evaluation_runs"
    ADD CONSTRAINT "evaluation_runs_ended_check" CHECK (("ended_at" IS NULL) = ("verdict" IS NULL)),
    ADD CONSTRAINT "evaluation_runs_verdict_check" CHECK ("verdict" IN ('passed', 'failed', 'errored')),
    ADD CONSTRAINT "evaluation_runs_problem_check" CHECK (("problem" IS NOT NULL) = COALESCE("verdict" = 'errored', false)),
    ADD CONSTRAINT "evaluation_runs_started_check" CHECK (("try_id" IS NULL) = ("started_at" IS NULL));

-- What is open is little, whatever the number of evaluations.
CREATE INDEX "evaluation_runs_open_idx" ON "evaluation_runs"("account_id", "created_at") WHERE "ended_at" IS NULL;
