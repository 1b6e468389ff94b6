-- AlterTable
ALTER TABLE "trunks" ADD COLUMN "media_source" TEXT NOT NULL DEFAULT 'sdp_host';

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "trunks" ADD CONSTRAINT "trunks_media_source_check" CHECK ("media_source" IN ('sdp_host', 'any'));
