-- How many texts the voices of a credential speak at once. Only adds: the version before runs on it unchanged, and its voices
-- have no such limit.

-- AlterTable
ALTER TABLE "provider_credentials" ADD COLUMN "max_generations" INTEGER;

ALTER TABLE "provider_credentials" ADD CONSTRAINT "provider_credentials_max_generations_check"
    CHECK ("max_generations" > 0);
