-- CreateTable
CREATE TABLE "trunk_evidence" (
    "id" UUID NOT NULL,
    "trunk" TEXT NOT NULL,
    "settings" TEXT NOT NULL,
    "worker_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "evidence" JSONB NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trunk_evidence_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "trunk_probes" (
    "trunk" TEXT NOT NULL,
    "call_id" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trunk_probes_pkey" PRIMARY KEY ("trunk")
);

-- CreateTable
CREATE TABLE "trunk_outlooks" (
    "worker_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "out_since" TIMESTAMPTZ(3),
    "back_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "trunk_outlooks_pkey" PRIMARY KEY ("worker_id")
);

-- CreateIndex
CREATE INDEX "trunk_evidence_at_idx" ON "trunk_evidence"("at");

-- AddForeignKey
ALTER TABLE "trunk_evidence" ADD CONSTRAINT "trunk_evidence_trunk_fkey" FOREIGN KEY ("trunk") REFERENCES "trunks"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "trunk_probes" ADD CONSTRAINT "trunk_probes_trunk_fkey" FOREIGN KEY ("trunk") REFERENCES "trunks"("name") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "trunk_evidence"
    ADD CONSTRAINT "trunk_evidence_kind_check" CHECK ("kind" IN ('failed', 'carried', 'answered', 'unanswered')),
    ADD CONSTRAINT "trunk_evidence_since_check" CHECK ("since" <= "at");

ALTER TABLE "trunk_outlooks"
    ADD CONSTRAINT "trunk_outlooks_state_check" CHECK ("state" IN ('up', 'none', 'out')),
    ADD CONSTRAINT "trunk_outlooks_out_check" CHECK (("state" = 'out') = ("out_since" IS NOT NULL)),
    ADD CONSTRAINT "trunk_outlooks_back_check" CHECK ("state" = 'out' OR "back_at" IS NULL);
