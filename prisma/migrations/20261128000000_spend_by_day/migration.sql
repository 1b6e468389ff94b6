-- What an account spent by day, out of the index alone. Charges are most of the ledger, and theirs is the only kind that
-- is summed up by time.
CREATE INDEX "ledger_entries_charges_idx" ON "ledger_entries"("account_id", "created_at", "amount_micros") WHERE "kind" = 'call_charge';
