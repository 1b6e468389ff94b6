-- The second legs of calls: warm transfers. Only adds: the version before runs on it unchanged.

-- CreateTable
CREATE TABLE "transfer_legs" (
    "id" UUID NOT NULL,
    "call_id" UUID NOT NULL,
    "reservation_id" UUID NOT NULL,
    "destination" TEXT NOT NULL,
    "callee_number" TEXT NOT NULL,
    "rate_prefix" TEXT NOT NULL,
    "connection_fee_micros" BIGINT NOT NULL,
    "price_per_minute_micros" BIGINT NOT NULL,
    "initial_increment_seconds" INTEGER NOT NULL,
    "increment_seconds" INTEGER NOT NULL,
    "hold_micros" BIGINT NOT NULL,
    "ring_timeout_seconds" INTEGER NOT NULL,
    "max_duration_seconds" INTEGER NOT NULL,
    "records_ahead" BOOLEAN NOT NULL,
    "carrier" TEXT,
    "trunk" TEXT,
    "dialog" JSONB,
    "begun_at" TIMESTAMPTZ(3) NOT NULL,
    "answered_at" TIMESTAMPTZ(3),
    "connected_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "outcome" TEXT,
    "sip_code" INTEGER,
    "billable_seconds" INTEGER NOT NULL DEFAULT 0,
    "cost_micros" BIGINT NOT NULL DEFAULT 0,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "transfer_legs_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "transfer_legs_call_id_idx" ON "transfer_legs"("call_id");

-- AddForeignKey
ALTER TABLE "transfer_legs" ADD CONSTRAINT "transfer_legs_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "transfer_legs"
    ADD CONSTRAINT "transfer_legs_hold_check" CHECK ("hold_micros" BETWEEN 0 AND 9007199254740991),
    ADD CONSTRAINT "transfer_legs_cost_check" CHECK ("cost_micros" BETWEEN 0 AND "hold_micros"),
    ADD CONSTRAINT "transfer_legs_free_check" CHECK ("cost_micros" = 0 OR ("answered_at" IS NOT NULL AND "settled_at" IS NOT NULL)),
    ADD CONSTRAINT "transfer_legs_settled_check" CHECK ("settled_at" IS NULL OR ("ended_at" IS NOT NULL AND "outcome" IS NOT NULL)),
    ADD CONSTRAINT "transfer_legs_times_check" CHECK ("begun_at" <= "answered_at" AND "answered_at" <= "connected_at" AND "begun_at" <= "ended_at" AND "answered_at" <= "ended_at");

-- What is held is little, whatever the number of legs. A call has one leg at a time that is not over.
CREATE INDEX "transfer_legs_held_idx" ON "transfer_legs"("id") WHERE "settled_at" IS NULL;
CREATE UNIQUE INDEX "transfer_legs_up_key" ON "transfer_legs"("call_id") WHERE "ended_at" IS NULL;
