-- Keys of model providers, secrets of agents' tools, and scopes of API keys.

-- AlterTable
-- The previous version creates keys without this column: they get what it means by a key. It also reads `scope` alone,
-- and checks none: until every process runs this version, a key that may only manage can place calls.
ALTER TABLE "api_keys" ADD COLUMN "scopes" TEXT[] DEFAULT ARRAY['outbound']::TEXT[];

ALTER TABLE "api_keys" DROP CONSTRAINT "api_keys_scope_check",
    ADD CONSTRAINT "api_keys_scope_check" CHECK ("scope" IN ('outbound', 'manage'));

-- Prisma has neither CHECKs nor lists that are NOT NULL.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes_check"
    CHECK ("scopes" IS NOT NULL AND cardinality("scopes") > 0 AND "scopes" <@ ARRAY['outbound', 'manage']::TEXT[]);

-- CreateTable
CREATE TABLE "provider_credentials" (
    "id" UUID NOT NULL,
    "account_id" UUID,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "base_url" TEXT,
    "region" TEXT,
    "shown_suffix" TEXT NOT NULL,
    "limits_group" TEXT,
    "max_concurrent_calls" INTEGER,
    "starts_per_second" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rotated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "checked_at" TIMESTAMPTZ(3),
    "check_result" TEXT,

    CONSTRAINT "provider_credentials_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account_secrets" (
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_secrets_pkey" PRIMARY KEY ("account_id","name")
);

-- CreateIndex
CREATE INDEX "provider_credentials_account_id_created_at_id_idx" ON "provider_credentials"("account_id", "created_at", "id");

-- AddForeignKey
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "account_secrets" ADD CONSTRAINT "account_secrets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Prisma has no partial indexes. A name is unique in its account, and among the operator's.
CREATE UNIQUE INDEX "provider_credentials_account_name_key" ON "provider_credentials"("account_id", "name") WHERE "account_id" IS NOT NULL;
CREATE UNIQUE INDEX "provider_credentials_operator_name_key" ON "provider_credentials"("name") WHERE "account_id" IS NULL;

ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_limits_check"
    CHECK ("max_concurrent_calls" > 0 AND "starts_per_second" > 0);
ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_check_check"
    CHECK (("checked_at" IS NULL) = ("check_result" IS NULL));
