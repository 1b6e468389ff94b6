-- What a deleted campaign is known by, and counts that are kept instead of summed.
ALTER TABLE "campaigns" ADD COLUMN "contact_count" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "deleted_at" TIMESTAMPTZ(3),
    ADD COLUMN "emptied_at" TIMESTAMPTZ(3);
ALTER TABLE "campaign_uploads" ADD COLUMN "error_count" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_deleted_check" CHECK (
    "deleted_at" IS NULL OR "state" IN ('draft', 'cancelled', 'completed')) NOT VALID;
