-- AlterTable
ALTER TABLE "accounts" ADD COLUMN "campaign_percent" INTEGER NOT NULL DEFAULT 80;

-- CreateTable
CREATE TABLE "campaigns" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "agent_id" UUID NOT NULL,
    "agent_version" INTEGER,
    "caller_number" TEXT,
    "columns" JSONB NOT NULL,
    "default_country" TEXT,
    "retry" JSONB,
    "calls_per_second" DECIMAL(6,3),
    "max_concurrent" INTEGER,
    "weight" INTEGER NOT NULL DEFAULT 10,
    "window" JSONB,
    "starts_at" TIMESTAMPTZ(3),
    "ends_at" TIMESTAMPTZ(3),
    "budget_micros" BIGINT,
    "max_duration_seconds" INTEGER,
    "ring_timeout_seconds" INTEGER,
    "webhook_url" TEXT,
    "metadata" JSON NOT NULL DEFAULT '{}',
    "hang_up" BOOLEAN NOT NULL DEFAULT false,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "campaign_lanes" (
    "campaign_id" UUID NOT NULL,
    "cursor_upload" INTEGER NOT NULL DEFAULT 0,
    "cursor_line" INTEGER NOT NULL DEFAULT 0,
    "passed" INTEGER NOT NULL DEFAULT 0,
    "pace_tokens" DOUBLE PRECISION NOT NULL DEFAULT 1,
    "pace_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deficit" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "held_by" TEXT,
    "held_since" TIMESTAMPTZ(3),
    "ended_calls" INTEGER NOT NULL DEFAULT 0,
    "measured_at" TIMESTAMPTZ(3),
    "last_minute" INTEGER,
    "per_minute" DOUBLE PRECISION,

    CONSTRAINT "campaign_lanes_pkey" PRIMARY KEY ("campaign_id")
);

-- CreateTable
CREATE TABLE "campaign_uploads" (
    "campaign_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "file_name" TEXT,
    "rows" INTEGER NOT NULL DEFAULT 0,
    "accepted" INTEGER NOT NULL DEFAULT 0,
    "duplicates" INTEGER NOT NULL DEFAULT 0,
    "invalid" INTEGER NOT NULL DEFAULT 0,
    "started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "moved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "campaign_uploads_pkey" PRIMARY KEY ("campaign_id", "number")
);

-- CreateTable
CREATE TABLE "campaign_contacts" (
    "campaign_id" UUID NOT NULL,
    "upload" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "number" BIGINT NOT NULL,
    "variables" JSON NOT NULL DEFAULT '{}',
    "metadata" JSON NOT NULL DEFAULT '{}',
    "time_zone" TEXT,

    CONSTRAINT "campaign_contacts_pkey" PRIMARY KEY ("campaign_id", "upload", "line")
);

-- CreateTable
CREATE TABLE "campaign_upload_errors" (
    "campaign_id" UUID NOT NULL,
    "upload" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,
    "column" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "message" TEXT NOT NULL,

    CONSTRAINT "campaign_upload_errors_pkey" PRIMARY KEY ("campaign_id", "upload", "line", "column")
);

-- CreateTable
CREATE TABLE "campaign_counts" (
    "campaign_id" UUID NOT NULL,
    "reason" "ended_reason" NOT NULL,
    "is_final" BOOLEAN NOT NULL,
    "shard" INTEGER NOT NULL,
    "calls" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "talk_seconds" BIGINT NOT NULL,
    "cost_micros" BIGINT NOT NULL,

    CONSTRAINT "campaign_counts_pkey" PRIMARY KEY ("campaign_id", "reason", "is_final", "shard")
);

-- CreateTable
CREATE TABLE "campaign_outcomes" (
    "campaign_id" UUID NOT NULL,
    "reason" "ended_reason" NOT NULL,
    "upload" INTEGER NOT NULL,
    "line" INTEGER NOT NULL,

    CONSTRAINT "campaign_outcomes_pkey" PRIMARY KEY ("campaign_id","reason","upload","line")
);

-- CreateTable
CREATE TABLE "campaign_events" (
    "id" BIGINT NOT NULL DEFAULT nextval('call_events_id_seq'::regclass),
    "campaign_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,

    CONSTRAINT "campaign_events_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "calls" ADD COLUMN "campaign_id" UUID;

-- AlterTable
ALTER TABLE "webhook_messages" ADD COLUMN "campaign_id" UUID;

-- AlterTable
ALTER TABLE "webhook_deliveries" ADD COLUMN "campaign_id" UUID;

-- AlterTable
ALTER TABLE "call_schedules" ADD COLUMN "campaign_id" UUID,
    ADD COLUMN "contact_upload" INTEGER,
    ADD COLUMN "contact_line" INTEGER;

-- CreateIndex
CREATE UNIQUE INDEX "campaign_contacts_campaign_id_number_key" ON "campaign_contacts"("campaign_id", "number");

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_lanes" ADD CONSTRAINT "campaign_lanes_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_uploads" ADD CONSTRAINT "campaign_uploads_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_contacts" ADD CONSTRAINT "campaign_contacts_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_upload_errors" ADD CONSTRAINT "campaign_upload_errors_campaign_id_upload_fkey" FOREIGN KEY ("campaign_id", "upload") REFERENCES "campaign_uploads"("campaign_id", "number") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_counts" ADD CONSTRAINT "campaign_counts_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_outcomes" ADD CONSTRAINT "campaign_outcomes_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "campaign_events" ADD CONSTRAINT "campaign_events_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_campaign_percent_check" CHECK ("campaign_percent" BETWEEN 1 AND 100);
ALTER TABLE "campaigns"
    ADD CONSTRAINT "campaigns_state_check" CHECK (
        "state" IN ('draft', 'scheduled', 'running', 'paused', 'cancelling', 'cancelled', 'completed')),
    ADD CONSTRAINT "campaigns_started_check" CHECK ("state" IN ('draft', 'cancelling', 'cancelled') OR "agent_version" IS NOT NULL),
    ADD CONSTRAINT "campaigns_ended_check" CHECK (("ended_at" IS NOT NULL) = ("state" IN ('cancelled', 'completed'))),
    ADD CONSTRAINT "campaigns_calls_per_second_check" CHECK ("calls_per_second" > 0 AND "calls_per_second" <= 100),
    ADD CONSTRAINT "campaigns_max_concurrent_check" CHECK ("max_concurrent" > 0),
    ADD CONSTRAINT "campaigns_weight_check" CHECK ("weight" BETWEEN 1 AND 100),
    ADD CONSTRAINT "campaigns_budget_check" CHECK ("budget_micros" > 0);
ALTER TABLE "campaign_lanes"
    ADD CONSTRAINT "campaign_lanes_cursor_check" CHECK ("cursor_upload" >= 0 AND "cursor_line" >= 0),
    ADD CONSTRAINT "campaign_lanes_held_check" CHECK (("held_by" IS NULL) = ("held_since" IS NULL));
ALTER TABLE "campaign_uploads"
    ADD CONSTRAINT "campaign_uploads_state_check" CHECK ("state" IN ('receiving', 'ready', 'failed')),
    ADD CONSTRAINT "campaign_uploads_number_check" CHECK ("number" >= 1);
ALTER TABLE "campaign_contacts"
    ADD CONSTRAINT "campaign_contacts_number_check" CHECK ("number" BETWEEN 1000000 AND 999999999999999),
    ADD CONSTRAINT "campaign_contacts_line_check" CHECK ("line" >= 1);
ALTER TABLE "campaign_counts" ADD CONSTRAINT "campaign_counts_shard_check" CHECK ("shard" BETWEEN 0 AND 15);
ALTER TABLE "campaign_events" ADD CONSTRAINT "campaign_events_type_check" CHECK (
    "type" IN ('started', 'paused', 'resumed', 'completed', 'cancelled'));
ALTER TABLE "call_schedules"
    ADD CONSTRAINT "call_schedules_contact_check" CHECK (
        ("campaign_id" IS NULL) = ("contact_upload" IS NULL) AND ("campaign_id" IS NULL) = ("contact_line" IS NULL)) NOT VALID;

-- A contact has one call for each attempt.
CREATE UNIQUE INDEX "call_schedules_attempt_key" ON "call_schedules"("campaign_id", "contact_upload", "contact_line", "attempt")
    WHERE "campaign_id" IS NOT NULL;
-- The head of each lane: single calls are the lane of their account.
CREATE INDEX "call_schedules_head_idx" ON "call_schedules"("account_id", (COALESCE("campaign_id", "account_id")), "due_at", "call_id")
    WHERE "is_waiting";
-- What of a campaign is still scheduled.
CREATE INDEX "call_schedules_campaign_idx" ON "call_schedules"("campaign_id") WHERE "is_waiting" AND "campaign_id" IS NOT NULL;
-- One file at a time: the cursor passes the uploads in order.
CREATE UNIQUE INDEX "campaign_uploads_receiving_key" ON "campaign_uploads"("campaign_id") WHERE "state" = 'receiving';
-- Those whose contacts are to be removed.
CREATE INDEX "campaign_uploads_failed_idx" ON "campaign_uploads"("campaign_id", "number") WHERE "state" = 'failed' AND "accepted" > 0;
-- Campaigns that a turn asks about, and the account's list of all.
CREATE INDEX "campaigns_running_idx" ON "campaigns"("account_id") WHERE "state" = 'running';
CREATE INDEX "campaigns_account_id_created_at_id_idx" ON "campaigns"("account_id", "created_at" DESC, "id" DESC);
-- Campaigns that a sweep moves on, and those that it may have to.
CREATE INDEX "campaigns_moving_idx" ON "campaigns"("state") WHERE "state" IN ('scheduled', 'running', 'paused', 'cancelling');
-- Of the paused ones, those whose end has come; and those whose calls a sweep asks to end.
CREATE INDEX "campaigns_paused_idx" ON "campaigns"("ends_at") WHERE "state" = 'paused' AND "ends_at" IS NOT NULL;
CREATE INDEX "campaigns_hang_up_idx" ON "campaigns"("id") WHERE "hang_up";
ALTER TABLE "campaign_lanes" SET (fillfactor = 50);
ALTER TABLE "campaign_counts" SET (fillfactor = 50);
