-- Who saved a version, named as in the audit. Null: it was saved before this was kept, or by an older version beside it.

-- AlterTable
ALTER TABLE "agent_versions" ADD COLUMN "created_by" TEXT;
