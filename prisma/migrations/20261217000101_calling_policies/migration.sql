-- AlterTable
ALTER TABLE "accounts" ADD COLUMN "policy_version" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "calls" ADD COLUMN "callee_zones" TEXT[],
    ADD COLUMN "callee_regions" TEXT[],
    ADD COLUMN "callee_time_zone" TEXT;

-- AlterTable
ALTER TABLE "system_settings" ADD COLUMN "default_policy" JSONB,
    ADD COLUMN "policy_floor" JSONB;

-- CreateTable
CREATE TABLE "calling_policies" (
    "account_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "saved_by" TEXT NOT NULL,
    "saved_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "calling_policies_pkey" PRIMARY KEY ("account_id", "version")
);

-- CreateTable
CREATE TABLE "dial_counts" (
    "account_id" UUID NOT NULL,
    "number" BIGINT NOT NULL,
    "dialed_at" TIMESTAMPTZ(3)[],

    CONSTRAINT "dial_counts_pkey" PRIMARY KEY ("account_id", "number")
);

-- AddForeignKey
ALTER TABLE "calling_policies" ADD CONSTRAINT "calling_policies_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "dial_counts" ADD CONSTRAINT "dial_counts_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "accounts" ADD CONSTRAINT "accounts_policy_version_check" CHECK ("policy_version" >= 0);
ALTER TABLE "calling_policies"
    ADD CONSTRAINT "calling_policies_version_check" CHECK ("version" >= 1),
    ADD CONSTRAINT "calling_policies_settings_check" CHECK (
        jsonb_typeof("settings"->'windows') = 'object' AND jsonb_typeof("settings"->'closed_days') = 'array'
        AND jsonb_typeof("settings"->'caps') = 'array' AND jsonb_typeof("settings"->'trust_given_zone') = 'boolean');
ALTER TABLE "dial_counts"
    ADD CONSTRAINT "dial_counts_number_check" CHECK ("number" BETWEEN 1000000 AND 999999999999999),
    ADD CONSTRAINT "dial_counts_dialed_at_check" CHECK (cardinality("dialed_at") BETWEEN 1 AND 50);

-- NOT VALID: each row fulfills the narrower rule, and the table may be large. A later migration validates it.
ALTER TABLE "call_schedules" DROP CONSTRAINT "call_schedules_waiting_for_check",
    ADD CONSTRAINT "call_schedules_waiting_for_check" CHECK (
        "waiting_for" IS NULL
        OR ("is_waiting" AND "waiting_for" IN ('time', 'capacity', 'funds', 'window', 'cap'))) NOT VALID;
