-- When a member put the list of first steps aside. Null: it is shown for as long as a step is left.

-- AlterTable
ALTER TABLE "memberships" ADD COLUMN "first_run_dismissed_at" TIMESTAMPTZ(3);
