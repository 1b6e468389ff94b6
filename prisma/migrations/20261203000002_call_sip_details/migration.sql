-- CreateTable: what a carrier said when it refused a call. Beside `calls`, whose rows are rewritten all the time.
CREATE TABLE "call_sip_details" (
    "call_id" UUID NOT NULL,
    "code" INTEGER NOT NULL,
    "reason_phrase" TEXT,
    "warning" TEXT,
    "q850_cause" INTEGER,
    "q850_text" TEXT,

    CONSTRAINT "call_sip_details_pkey" PRIMARY KEY ("call_id")
);

-- AddForeignKey
ALTER TABLE "call_sip_details" ADD CONSTRAINT "call_sip_details_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;
