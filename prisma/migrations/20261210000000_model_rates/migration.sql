-- Prices of models. Only adds: the version before runs on it unchanged.

-- CreateTable
CREATE TABLE "model_rate_decks" (
    "currency" CHAR(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "model_rate_decks_pkey" PRIMARY KEY ("currency")
);

-- CreateTable
CREATE TABLE "model_rates" (
    "currency" CHAR(3) NOT NULL,
    "component" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "unit" TEXT NOT NULL,
    "price_micros_per_million" BIGINT NOT NULL,
    "estimate_micros_per_minute" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "model_rates_pkey" PRIMARY KEY ("currency","component","provider","model","unit")
);

-- AddForeignKey
ALTER TABLE "model_rates" ADD CONSTRAINT "model_rates_currency_fkey" FOREIGN KEY ("currency") REFERENCES "model_rate_decks"("currency") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "model_rate_decks"
    ADD CONSTRAINT "model_rate_decks_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');

ALTER TABLE "model_rates"
    ADD CONSTRAINT "model_rates_price_check" CHECK ("price_micros_per_million" BETWEEN 0 AND 1000000000000),
    ADD CONSTRAINT "model_rates_estimate_check" CHECK ("estimate_micros_per_minute" BETWEEN 0 AND 1000000000000);
