-- AlterTable
ALTER TABLE "calls" ADD COLUMN "recording_pending" BOOLEAN NOT NULL DEFAULT false;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "calls"
    ADD CONSTRAINT "calls_recording_pending_check" CHECK (NOT "recording_pending" OR "recording_key" IS NOT NULL);
