-- CreateEnum
CREATE TYPE "member_role" AS ENUM ('owner', 'member');

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "is_operator" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),
    "updated_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),
    "updated_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "user_credentials" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "password" TEXT,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),
    "updated_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),

    CONSTRAINT "user_credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" UUID NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),
    "updated_at" TIMESTAMP(3) NOT NULL DEFAULT timezone('utc', now()),

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "role" "member_role" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("user_id","account_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "role" "member_role" NOT NULL,
    "token_digest" TEXT NOT NULL,
    "invited_by" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "accepted_by" UUID,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "user_credentials_provider_subject_key" ON "user_credentials"("provider", "subject");

-- CreateIndex
CREATE INDEX "user_credentials_user_id_idx" ON "user_credentials"("user_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- CreateIndex
CREATE INDEX "memberships_account_id_created_at_idx" ON "memberships"("account_id", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_digest_key" ON "invitations"("token_digest");

-- CreateIndex
CREATE INDEX "invitations_account_id_created_at_idx" ON "invitations"("account_id", "created_at");

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "user_credentials" ADD CONSTRAINT "user_credentials_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_fkey" FOREIGN KEY ("invited_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_fkey" FOREIGN KEY ("accepted_by") REFERENCES "users"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "users"
    ADD CONSTRAINT "users_name_check" CHECK (length(btrim("name")) BETWEEN 1 AND 100),
    ADD CONSTRAINT "users_email_check" CHECK ("email" = lower("email") AND "email" ~ '^[^@\s]+@[^@\s]+$' AND length("email") <= 254);

-- What is kept of a token is its hash: 43 characters of base64url.
ALTER TABLE "sessions"
    ADD CONSTRAINT "sessions_token_check" CHECK ("token" ~ '^[A-Za-z0-9_-]{43}$');

ALTER TABLE "user_credentials"
    ADD CONSTRAINT "user_credentials_provider_check" CHECK ("provider" IN ('credential')),
    ADD CONSTRAINT "user_credentials_subject_check" CHECK ("subject" = "user_id"::text),
    ADD CONSTRAINT "user_credentials_password_check" CHECK ("password" ~ '^[0-9a-f]{32}:[0-9a-f]{128}$');

ALTER TABLE "verifications"
    ADD CONSTRAINT "verifications_identifier_check" CHECK ("identifier" ~ '^[A-Za-z0-9_-]{43}$');

ALTER TABLE "invitations"
    ADD CONSTRAINT "invitations_email_check" CHECK ("email" = lower("email") AND length("email") <= 254),
    ADD CONSTRAINT "invitations_token_digest_check" CHECK ("token_digest" ~ '^[A-Za-z0-9_-]{43}$'),
    ADD CONSTRAINT "invitations_times_check" CHECK ("expires_at" > "created_at"),
    ADD CONSTRAINT "invitations_accepted_check" CHECK ("accepted_by" IS NULL OR "accepted_at" IS NOT NULL);

-- One invitation at a time is open for an address: a second one takes its place.
CREATE UNIQUE INDEX "invitations_open_key" ON "invitations"("account_id", "email") WHERE "accepted_at" IS NULL;
