-- AlterTable
ALTER TABLE "trunks" ADD COLUMN "transfers" TEXT NOT NULL DEFAULT 'none';

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "trunks" ADD CONSTRAINT "trunks_transfers_check" CHECK ("transfers" IN ('none', 'numbers', 'any'));
