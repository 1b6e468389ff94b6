-- Whatever lets somebody in for a time is deleted once that is over: found by these, however much of it there is.

-- CreateIndex
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

-- CreateIndex
CREATE INDEX "verifications_expires_at_idx" ON "verifications"("expires_at");

-- Rules -----------------------------------------------------------------------------------------------------------

-- Those that were accepted stay, as a record of who joined by which.
CREATE INDEX "invitations_open_expires_at_idx" ON "invitations"("expires_at") WHERE "accepted_at" IS NULL;
