-- A migration that removes what older code uses inserts its own name here, and the newest migration that code
-- must know to run on this schema.

-- CreateTable
CREATE TABLE "schema_versions" (
    "version" TEXT NOT NULL,
    "needs_code" TEXT NOT NULL,

    CONSTRAINT "schema_versions_pkey" PRIMARY KEY ("version")
);
