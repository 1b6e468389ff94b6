-- CreateTable
CREATE TABLE "worker_duties" (
    "duty" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "held_until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "worker_duties_pkey" PRIMARY KEY ("duty")
);
