-- A page of a list by kind, newest first; a page of all kinds merges both. It replaces an index that no version reads.
CREATE INDEX "suppressions_account_kind_idx" ON "suppressions"("account_id", "kind", "created_at" DESC, "id" DESC)
    WHERE "removed_at" IS NULL;
DROP INDEX "suppressions_account_idx";
