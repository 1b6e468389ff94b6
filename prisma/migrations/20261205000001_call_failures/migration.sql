-- Why the agent of a call failed. Apart from the calls: few calls have one, and the rows of calls are written often.

-- CreateTable
CREATE TABLE "call_failures" (
    "call_id" UUID NOT NULL,
    "code" TEXT NOT NULL,
    "field" TEXT,

    CONSTRAINT "call_failures_pkey" PRIMARY KEY ("call_id")
);

-- AddForeignKey
ALTER TABLE "call_failures" ADD CONSTRAINT "call_failures_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "call_failures"
    ADD CONSTRAINT "call_failures_code_check" CHECK ("code" ~ '^[a-z_]{1,64}$'),
    ADD CONSTRAINT "call_failures_field_check" CHECK (length("field") BETWEEN 1 AND 100);
