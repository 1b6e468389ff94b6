-- Reads the ledger without a lock that a call would wait for.
ALTER TABLE "ledger_entries" VALIDATE CONSTRAINT "ledger_entries_try_id_fkey";
ALTER TABLE "ledger_entries" VALIDATE CONSTRAINT "ledger_entries_try_check";
