-- CreateTable
CREATE TABLE "workers" (
    "id" TEXT NOT NULL,
    "host" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "live_calls" INTEGER NOT NULL,
    "concurrency" INTEGER NOT NULL,
    "stopping" BOOLEAN NOT NULL DEFAULT false,
    "drain_requested" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "workers_pkey" PRIMARY KEY ("id")
);

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "workers"
    ADD CONSTRAINT "workers_live_calls_check" CHECK ("live_calls" >= 0),
    ADD CONSTRAINT "workers_concurrency_check" CHECK ("concurrency" >= 1);

-- Every worker tells of itself every other second: its row is rewritten in place.
ALTER TABLE "workers" SET (fillfactor = 50);

-- What operators see of the last hour. Calls lie in the order in which they came, so a summary of each stretch of the
-- table suffices, and accepting a call costs nothing more.
CREATE INDEX "calls_created_at_idx" ON "calls" USING BRIN ("created_at") WITH (pages_per_range = 32, autosummarize = on);
