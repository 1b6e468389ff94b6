-- AlterTable
ALTER TABLE "calls" ADD COLUMN "queued_at" TIMESTAMPTZ(3),
ALTER COLUMN "reservation_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "call_schedules" (
    "call_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "scheduled_for" TIMESTAMPTZ(3),
    "give_up_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "is_waiting" BOOLEAN NOT NULL,
    "waiting_for" TEXT,
    "queue_ttl_seconds" INTEGER NOT NULL,
    "admit_token" UUID,
    "admitting_until" TIMESTAMPTZ(3),
    "attempt" INTEGER NOT NULL DEFAULT 1,
    "retry_of" UUID,
    "retry" JSONB,

    CONSTRAINT "call_schedules_pkey" PRIMARY KEY ("call_id")
);

-- CreateTable
CREATE TABLE "dial_turns" (
    "account_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "new_due" TIMESTAMPTZ(3) NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,
    "holder" TEXT,
    "epoch" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "dial_turns_pkey" PRIMARY KEY ("account_id")
);

-- AddForeignKey
ALTER TABLE "call_schedules" ADD CONSTRAINT "call_schedules_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dial_turns" ADD CONSTRAINT "dial_turns_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "call_schedules"
    ADD CONSTRAINT "call_schedules_waiting_for_check" CHECK (
        "waiting_for" IS NULL OR ("is_waiting" AND "waiting_for" IN ('time', 'capacity', 'funds'))),
    ADD CONSTRAINT "call_schedules_waiting_check" CHECK (NOT "is_waiting" OR "scheduled_for" IS NOT NULL),
    ADD CONSTRAINT "call_schedules_admitting_check" CHECK (("admit_token" IS NULL) = ("admitting_until" IS NULL)),
    ADD CONSTRAINT "call_schedules_attempt_check" CHECK ("attempt" >= 1 AND ("attempt" > 1) = ("retry_of" IS NOT NULL)),
    ADD CONSTRAINT "call_schedules_ttl_check" CHECK ("queue_ttl_seconds" > 0),
    ADD CONSTRAINT "call_schedules_retry_check" CHECK ("retry" IS NULL OR jsonb_typeof("retry") = 'object');

-- The lane of an account, in the order in which its calls are due.
CREATE INDEX "call_schedules_lane_idx" ON "call_schedules"("account_id", "due_at", "call_id") WHERE "is_waiting";
-- What is given up next, of all accounts.
CREATE INDEX "call_schedules_give_up_idx" ON "call_schedules"("give_up_at") WHERE "is_waiting";
-- The calls that a turn has taken: few, whatever else waits.
CREATE INDEX "call_schedules_admitting_idx" ON "call_schedules"("account_id") WHERE "admitting_until" IS NOT NULL;
-- A call is retried by one call at most.
CREATE UNIQUE INDEX "call_schedules_retry_of_key" ON "call_schedules"("retry_of") WHERE "retry_of" IS NOT NULL;

-- Each turn rewrites its row twice: there is room beside it, and no index names a column that changes.
ALTER TABLE "dial_turns" SET (fillfactor = 50);
ALTER TABLE "call_schedules" SET (fillfactor = 80);

-- The claim of a call is what the check is about: a scheduled call has none, like a queued one.
ALTER TABLE "calls" DROP CONSTRAINT "calls_claimed_check";
ALTER TABLE "calls"
    ADD CONSTRAINT "calls_claimed_check" CHECK (
        "status" = 'scheduled' OR "status" = 'queued' OR "status" = 'ended' OR
        ("epoch" > 0 AND "worker_id" IS NOT NULL AND "started_at" IS NOT NULL AND "lease_expires_at" IS NOT NULL)) NOT VALID,
    ADD CONSTRAINT "calls_reservation_check" CHECK (
        "status" = 'ended' OR ("status" = 'scheduled') = ("reservation_id" IS NULL)) NOT VALID,
    ADD CONSTRAINT "calls_unreserved_check" CHECK ("reservation_id" IS NOT NULL OR ("hold_micros" = 0 AND "epoch" = 0)) NOT VALID;
