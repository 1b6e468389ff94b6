-- The ledger is never deleted, and keeps the id of a call that is. Takes its locks for an instant; the runner tries again if it
-- does not get them.
-- DropForeignKey
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_call_id_fkey";
