-- What was said in calls that have not ended. Only adds: the version before stores no turns, and leaves those it finds.

CREATE TABLE "call_turns" (
    "call_id" UUID NOT NULL,
    "index" INTEGER NOT NULL,
    "turn" JSONB NOT NULL,

    CONSTRAINT "call_turns_pkey" PRIMARY KEY ("call_id", "index")
);

ALTER TABLE "call_turns"
    ADD CONSTRAINT "call_turns_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "call_turns" ADD CONSTRAINT "call_turns_index_check" CHECK ("index" >= 0);

-- Latency ---------------------------------------------------------------------------------------------------------

-- The delays of the agent's turns, in order.
ALTER TABLE "model_calls" ADD COLUMN "turn_metrics" JSONB NOT NULL DEFAULT '[]';
