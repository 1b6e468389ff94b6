-- Webhooks: what happens to calls is sent to the programs of their accounts. Only adds: the version before runs on it
-- unchanged.

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "url" TEXT,
    "description" TEXT NOT NULL DEFAULT '',
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "api_version" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'enabled',
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "sealed_secret" BYTEA NOT NULL,
    "secret_made_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "previous_sealed_secret" BYTEA,
    "previous_until" TIMESTAMPTZ(3),
    "rate_per_second" INTEGER,
    "max_in_flight" INTEGER NOT NULL DEFAULT 10,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_messages" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "call_id" UUID,
    "event_id" BIGINT,
    "type" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "body" TEXT,

    CONSTRAINT "webhook_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "message_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "lane" UUID NOT NULL,
    "call_id" UUID,
    "event_id" BIGINT,
    "type" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "tries_left" INTEGER NOT NULL,
    "in_order" BOOLEAN NOT NULL DEFAULT true,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("message_id","endpoint_id")
) WITH (fillfactor = 70);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "message_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "duration_ms" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "response_headers" JSONB NOT NULL DEFAULT '{}',
    "response_body" TEXT,
    "worker_id" TEXT NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("message_id","endpoint_id","number")
);

-- CreateTable
CREATE TABLE "webhook_lanes" (
    "lane" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "not_before" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity',
    "failures" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "last_success_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_lanes_pkey" PRIMARY KEY ("lane")
) WITH (fillfactor = 70);

-- CreateTable
CREATE TABLE "webhook_replays" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "events" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "only" TEXT NOT NULL,
    "position" BIGINT,
    "end_id" BIGINT NOT NULL,
    "replayed" INTEGER NOT NULL DEFAULT 0,
    "state" TEXT NOT NULL DEFAULT 'running',
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_replays_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_notices" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "mailed_at" TIMESTAMPTZ(3),
    "dismissed_at" TIMESTAMPTZ(3),
    "dismissed_by" TEXT,

    CONSTRAINT "account_notices_pkey" PRIMARY KEY ("id")
);

-- AlterTable
ALTER TABLE "calls" ADD COLUMN "webhook_url" TEXT;

-- AlterTable
ALTER TABLE "system_settings"
    ADD COLUMN "webhooks_paused" BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN "webhooks_changed_at" TIMESTAMPTZ(3),
    ADD COLUMN "webhooks_changed_by" TEXT;

-- CreateIndex
CREATE INDEX "webhook_endpoints_account_id_created_at_id_idx" ON "webhook_endpoints"("account_id", "created_at", "id");
CREATE INDEX "webhook_messages_created_at_idx" ON "webhook_messages"("created_at");
CREATE INDEX "webhook_messages_call_id_idx" ON "webhook_messages"("call_id");
CREATE INDEX "webhook_deliveries_endpoint_id_created_at_message_id_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "message_id" DESC);
CREATE INDEX "webhook_lanes_endpoint_id_idx" ON "webhook_lanes"("endpoint_id");
CREATE INDEX "webhook_replays_endpoint_id_created_at_idx" ON "webhook_replays"("endpoint_id", "created_at");
CREATE INDEX "account_notices_account_id_created_at_idx" ON "account_notices"("account_id", "created_at");

-- AddForeignKey: messages and deliveries have none, because a key that is refused would fail the call's own statement.
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "account_notices" ADD CONSTRAINT "account_notices_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "webhook_endpoints"
    ADD CONSTRAINT "webhook_endpoints_kind_check" CHECK ("kind" IN ('standing', 'per_call', 'listener')),
    ADD CONSTRAINT "webhook_endpoints_url_check" CHECK (("kind" = 'standing') = ("url" IS NOT NULL) AND length("url") <= 2048),
    ADD CONSTRAINT "webhook_endpoints_description_check" CHECK (length("description") <= 200),
    ADD CONSTRAINT "webhook_endpoints_events_check" CHECK ("events" IS NOT NULL),
    ADD CONSTRAINT "webhook_endpoints_state_check" CHECK (
        "state" IN ('enabled', 'disabled') AND ("state" = 'disabled') = ("disabled_at" IS NOT NULL) AND
        ("state" = 'disabled') = ("disabled_reason" IS NOT NULL) AND ("deleted_at" IS NULL OR "state" = 'disabled')),
    ADD CONSTRAINT "webhook_endpoints_reason_check" CHECK ("disabled_reason" IN ('owner', 'failing', 'gone', 'operator')),
    ADD CONSTRAINT "webhook_endpoints_previous_check" CHECK (("previous_sealed_secret" IS NULL) = ("previous_until" IS NULL)),
    ADD CONSTRAINT "webhook_endpoints_limits_check" CHECK ("rate_per_second" > 0 AND "max_in_flight" > 0),
    ADD CONSTRAINT "webhook_endpoints_expiry_check" CHECK (("kind" = 'listener') = ("expires_at" IS NOT NULL));

ALTER TABLE "webhook_deliveries"
    ADD CONSTRAINT "webhook_deliveries_state_check" CHECK (
        "state" IN ('pending', 'delivered', 'failed', 'dropped') AND ("claimed_until" IS NULL OR "state" = 'pending'));

ALTER TABLE "webhook_replays"
    ADD CONSTRAINT "webhook_replays_state_check" CHECK ("state" IN ('running', 'done', 'cancelled')),
    ADD CONSTRAINT "webhook_replays_only_check" CHECK ("only" IN ('failed', 'missing', 'failed_and_missing', 'all')),
    ADD CONSTRAINT "webhook_replays_events_check" CHECK ("events" IS NOT NULL);

-- NOT VALID: no call has one yet, and the table is large. The next migration validates it.
ALTER TABLE "calls" ADD CONSTRAINT "calls_webhook_url_check" CHECK (length("webhook_url") <= 2048) NOT VALID;

-- One for the URLs that requests to place calls name.
CREATE UNIQUE INDEX "webhook_endpoints_per_call_key" ON "webhook_endpoints"("account_id") WHERE "kind" = 'per_call';
-- What each statement that writes events asks first.
CREATE INDEX "webhook_endpoints_enabled_idx" ON "webhook_endpoints"("account_id") WHERE "state" = 'enabled';
-- What the drop of pending deliveries looks through.
CREATE INDEX "webhook_endpoints_closed_idx" ON "webhook_endpoints"("disabled_at") WHERE "state" = 'disabled' OR "expires_at" IS NOT NULL;
-- An event has one message, whoever announces it.
CREATE UNIQUE INDEX "webhook_messages_event_id_key" ON "webhook_messages"("event_id") WHERE "event_id" IS NOT NULL;
-- The lanes and what is due in each; the events of a call in each; what is in flight.
CREATE INDEX "webhook_deliveries_due_idx" ON "webhook_deliveries"("lane", "due_at", "event_id") WHERE "state" = 'pending';
CREATE INDEX "webhook_deliveries_order_idx" ON "webhook_deliveries"("lane", "call_id", "event_id") WHERE "state" = 'pending';
CREATE INDEX "webhook_deliveries_in_flight_idx" ON "webhook_deliveries"("lane", "claimed_until") WHERE "state" = 'pending' AND "claimed_until" IS NOT NULL;
-- Few, and what a reader of the log looks for.
CREATE INDEX "webhook_deliveries_failed_idx" ON "webhook_deliveries"("endpoint_id", "created_at" DESC, "message_id" DESC) WHERE "state" = 'failed';
CREATE INDEX "webhook_lanes_failing_idx" ON "webhook_lanes"("failing_since") WHERE "failing_since" IS NOT NULL;
CREATE UNIQUE INDEX "webhook_replays_running_key" ON "webhook_replays"("endpoint_id") WHERE "state" = 'running';
CREATE INDEX "account_notices_unmailed_idx" ON "account_notices"("created_at") WHERE "mailed_at" IS NULL;
