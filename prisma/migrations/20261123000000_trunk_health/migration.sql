-- AlterTable
ALTER TABLE "trunks" ADD COLUMN "health_check" TEXT NOT NULL DEFAULT 'options';

-- CreateTable
CREATE TABLE "trunk_health" (
    "trunk" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "detail" TEXT,
    "told_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trunk_health_pkey" PRIMARY KEY ("trunk","worker_id")
);

-- AddForeignKey
ALTER TABLE "trunk_health" ADD CONSTRAINT "trunk_health_trunk_fkey" FOREIGN KEY ("trunk") REFERENCES "trunks"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "trunks" ADD CONSTRAINT "trunks_health_check_check" CHECK ("health_check" IN ('options', 'none'));

ALTER TABLE "trunk_health" ADD CONSTRAINT "trunk_health_state_check" CHECK (
    "state" IN ('up', 'unreachable', 'congested', 'unauthorized'));
