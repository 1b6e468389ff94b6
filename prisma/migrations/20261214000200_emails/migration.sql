-- E-mails that wait for the mail server, and what the retention of notices and replays looks through. Only adds: the version
-- before sends its e-mails without the table, and ignores what is in it.

-- CreateTable
CREATE TABLE "emails" (
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" UUID,
    "sealed" BYTEA,
    "notice_id" UUID,
    "user_id" UUID,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "due_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "emails_expires_at_idx" ON "emails"("expires_at");
CREATE INDEX "account_notices_created_at_idx" ON "account_notices"("created_at");
CREATE INDEX "webhook_replays_created_at_idx" ON "webhook_replays"("created_at");

-- Rules -----------------------------------------------------------------------------------------------------------

-- What an e-mail says is deleted when it ends: its link may still work.
ALTER TABLE "emails"
    ADD CONSTRAINT "emails_state_check" CHECK (
        "state" IN ('pending', 'sent', 'failed', 'dropped') AND ("state" = 'pending') = ("ended_at" IS NULL) AND
        ("state" = 'pending' OR "sealed" IS NULL)),
    ADD CONSTRAINT "emails_notice_check" CHECK (("notice_id" IS NULL) = ("user_id" IS NULL));

-- E-mails of users go first, in the order in which they are due; those of accounts take turns.
CREATE INDEX "emails_of_users_due_idx" ON "emails"("due_at") WHERE "state" = 'pending' AND "account_id" IS NULL;
CREATE INDEX "emails_of_accounts_due_idx" ON "emails"("account_id", "due_at") WHERE "state" = 'pending' AND "account_id" IS NOT NULL;
