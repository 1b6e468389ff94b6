-- Pages of lists. Their conditions name the account, so that no look-up of a number may use them: an index whose condition is
-- that of the look-up is a candidate for it, whatever its columns, and was chosen while the table was empty.
CREATE INDEX "suppressions_account_page_idx" ON "suppressions"("account_id", "kind", "created_at" DESC, "id" DESC)
    WHERE "removed_at" IS NULL AND "account_id" IS NOT NULL;
CREATE INDEX "suppressions_platform_page_idx" ON "suppressions"("kind", "created_at" DESC, "id" DESC)
    WHERE "removed_at" IS NULL AND "account_id" IS NULL;
DROP INDEX "suppressions_account_kind_idx";
