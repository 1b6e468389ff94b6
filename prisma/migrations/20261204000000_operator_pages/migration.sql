-- What the operator pages of the dashboard need. Only adds: the version before runs on it unchanged.

-- AlterTable
ALTER TABLE "users" ADD COLUMN "disabled_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "trunks" ADD COLUMN "test_requested_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "trunk_tests" (
    "trunk" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "state" TEXT NOT NULL,
    "detail" TEXT,
    "took_ms" INTEGER,

    CONSTRAINT "trunk_tests_pkey" PRIMARY KEY ("trunk","worker_id")
);

-- CreateTable
CREATE TABLE "account_requests" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "slot" SMALLINT NOT NULL,
    "created_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(3),
    "done_by" UUID,

    CONSTRAINT "account_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "account_requests_account_id_created_at_idx" ON "account_requests"("account_id", "created_at");

-- AddForeignKey
ALTER TABLE "trunk_tests" ADD CONSTRAINT "trunk_tests_trunk_fkey" FOREIGN KEY ("trunk") REFERENCES "trunks"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_requests" ADD CONSTRAINT "account_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_requests" ADD CONSTRAINT "account_requests_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_requests" ADD CONSTRAINT "account_requests_done_by_fkey" FOREIGN KEY ("done_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "trunk_tests" ADD CONSTRAINT "trunk_tests_state_check" CHECK (
    "state" IN ('asking', 'answered', 'silent', 'unsent'));

ALTER TABLE "account_requests"
    ADD CONSTRAINT "account_requests_text_check" CHECK (length(btrim("text")) BETWEEN 1 AND 1000),
    ADD CONSTRAINT "account_requests_slot_check" CHECK ("slot" BETWEEN 1 AND 100),
    ADD CONSTRAINT "account_requests_done_check" CHECK ("done_by" IS NULL OR "done_at" IS NOT NULL);

-- Bounds the open requests of an account: each takes a slot, however many are sent at the same moment.
CREATE UNIQUE INDEX "account_requests_slot_key" ON "account_requests"("account_id", "slot") WHERE "done_at" IS NULL;
-- Operators look at what is open, oldest first.
CREATE INDEX "account_requests_open_idx" ON "account_requests"("created_at", "id") WHERE "done_at" IS NULL;
