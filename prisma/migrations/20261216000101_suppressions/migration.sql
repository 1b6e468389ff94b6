-- CreateTable
CREATE TABLE "suppressions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "account_id" UUID,
    "number" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "reason" TEXT,
    "call_id" UUID,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "removed_at" TIMESTAMPTZ(3),
    "removed_by" TEXT,
    "removal_reason" TEXT,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppression_counts" (
    "account_id" UUID NOT NULL,
    "manual" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "suppression_counts_pkey" PRIMARY KEY ("account_id")
);

-- AddForeignKey
ALTER TABLE "suppressions" ADD CONSTRAINT "suppressions_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "suppression_counts" ADD CONSTRAINT "suppression_counts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "suppressions"
    ADD CONSTRAINT "suppressions_number_check" CHECK ("number" BETWEEN 1000000 AND 999999999999999),
    ADD CONSTRAINT "suppressions_kind_check" CHECK ("kind" IN ('opt_out', 'manual')),
    ADD CONSTRAINT "suppressions_source_check" CHECK ("source" IN ('call', 'api', 'dashboard', 'import', 'operator')),
    ADD CONSTRAINT "suppressions_call_check" CHECK ("call_id" IS NULL OR "account_id" IS NOT NULL),
    ADD CONSTRAINT "suppressions_removed_check" CHECK (
        ("removed_at" IS NULL) = ("removed_by" IS NULL) AND ("removed_at" IS NULL) = ("removal_reason" IS NULL));
ALTER TABLE "suppression_counts" ADD CONSTRAINT "suppression_counts_manual_check" CHECK ("manual" >= 0);

-- What a dial asks: one look-up finds the entries of the account and those of the platform.
CREATE UNIQUE INDEX "suppressions_in_force_key" ON "suppressions"("number", "account_id", "kind") NULLS NOT DISTINCT
    WHERE "removed_at" IS NULL;
-- Pages of lists, newest first. Their conditions name the account, so that no look-up of a number may use them: an index whose
-- condition is that of the look-up is a candidate for it, whatever its columns, and was chosen while the table was empty.
CREATE INDEX "suppressions_account_page_idx" ON "suppressions"("account_id", "kind", "created_at" DESC, "id" DESC)
    WHERE "removed_at" IS NULL AND "account_id" IS NOT NULL;
CREATE INDEX "suppressions_platform_page_idx" ON "suppressions"("kind", "created_at" DESC, "id" DESC)
    WHERE "removed_at" IS NULL AND "account_id" IS NULL;
