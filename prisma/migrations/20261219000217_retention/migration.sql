-- CreateTable
CREATE TABLE "retention_settings" (
    "kind" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "changed_at" TIMESTAMPTZ(3) NOT NULL,
    "changed_by" TEXT NOT NULL,

    CONSTRAINT "retention_settings_pkey" PRIMARY KEY ("kind")
);

-- CreateTable
CREATE TABLE "retention_rounds" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "completed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "calls_deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "retention_rounds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deleted_call_keys" (
    "call_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "body_digest" BYTEA NOT NULL,
    "call" JSON NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "deleted_call_keys_pkey" PRIMARY KEY ("call_id")
);

-- CreateIndex
CREATE INDEX "deleted_call_keys_expires_at_idx" ON "deleted_call_keys"("expires_at");

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "retention_settings" ADD CONSTRAINT "retention_settings_days_check" CHECK ("days" BETWEEN 1 AND 36500);
ALTER TABLE "retention_rounds" ADD CONSTRAINT "retention_rounds_one_row_check" CHECK ("id" = 1);
INSERT INTO "retention_rounds" DEFAULT VALUES;
