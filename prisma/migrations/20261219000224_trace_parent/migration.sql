-- Where the spans of a call belong. Only adds: the version before leaves it empty.
ALTER TABLE "calls" ADD COLUMN "trace_parent" TEXT;
