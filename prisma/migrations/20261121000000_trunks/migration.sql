-- CreateTable
CREATE TABLE "trunks" (
    "name" TEXT NOT NULL,
    "uri" TEXT NOT NULL,
    "transport" TEXT NOT NULL DEFAULT 'udp',
    "outbound_proxy" TEXT,
    "username" TEXT,
    "sealed_password" BYTEA,
    "channels" INTEGER NOT NULL,
    "calls_per_second" INTEGER NOT NULL,
    "caller_prefixes" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "asserts_caller" BOOLEAN NOT NULL DEFAULT false,
    "number_format" TEXT NOT NULL DEFAULT 'e164',
    "codecs" TEXT[] DEFAULT ARRAY['PCMU', 'PCMA']::TEXT[],
    "priority" INTEGER NOT NULL DEFAULT 10,
    "weight" INTEGER NOT NULL DEFAULT 10,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "trunks_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "call_attempts" (
    "call_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "trunk" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "begun_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "call_attempts_pkey" PRIMARY KEY ("call_id","number")
);

-- AddForeignKey
ALTER TABLE "call_attempts" ADD CONSTRAINT "call_attempts_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "trunks"
    ADD CONSTRAINT "trunks_name_check" CHECK ("name" ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),
    ADD CONSTRAINT "trunks_uri_check" CHECK ("uri" ~ '^sips?:[^@;?<>[:space:]]+$'),
    ADD CONSTRAINT "trunks_transport_check" CHECK ("transport" IN ('udp', 'tcp', 'tls')),
    ADD CONSTRAINT "trunks_outbound_proxy_check" CHECK ("outbound_proxy" ~ '^sips?:[^@?<>[:space:]]+$'),
    -- Sealed: one byte of version, 12 of nonce, 16 of tag, then the password.
    ADD CONSTRAINT "trunks_credentials_check" CHECK (
        ("username" IS NULL) = ("sealed_password" IS NULL) AND octet_length("sealed_password") > 29),
    ADD CONSTRAINT "trunks_channels_check" CHECK ("channels" BETWEEN 1 AND 100000),
    ADD CONSTRAINT "trunks_calls_per_second_check" CHECK ("calls_per_second" BETWEEN 1 AND 1000),
    ADD CONSTRAINT "trunks_caller_prefixes_check" CHECK (
        "caller_prefixes" IS NOT NULL AND
        (cardinality("caller_prefixes") = 0 OR array_to_string("caller_prefixes", ',', '') ~ '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14})*$')),
    ADD CONSTRAINT "trunks_number_format_check" CHECK ("number_format" IN ('e164', 'digits')),
    ADD CONSTRAINT "trunks_codecs_check" CHECK (
        "codecs" IS NOT NULL AND cardinality("codecs") > 0 AND "codecs" <@ ARRAY['PCMU', 'PCMA']),
    ADD CONSTRAINT "trunks_priority_check" CHECK ("priority" BETWEEN 0 AND 65535),
    ADD CONSTRAINT "trunks_weight_check" CHECK ("weight" BETWEEN 0 AND 65535);

ALTER TABLE "call_attempts" ADD CONSTRAINT "call_attempts_number_check" CHECK ("number" >= 1);

-- Functions -------------------------------------------------------------------------------------------------------

-- Writes down which trunk a call is given to next, before anything is sent to it. The gate has given the channel: one
-- that an earlier generation gave is refused, because whoever rebuilt the gate did not count it. What was known of the
-- attempt before says nothing any more; left there, it would let an orphan's CANCEL go to the wrong trunk.
-- Input: [{id, epoch, number, carrier, trunk, generation, timeline}].
CREATE FUNCTION begin_attempts(batch jsonb) RETURNS TABLE (call_id uuid, outcome text, end_requested boolean)
LANGUAGE plpgsql VOLATILE
SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM jsonb_to_recordset(batch) AS r(
      id uuid, epoch int, number int, carrier text, trunk text, generation bigint, timeline text)
  ), locked AS MATERIALIZED (
    SELECT c.id, c.end_requested_at FROM calls c JOIN input i ON c.id = i.id
    WHERE c.epoch = i.epoch AND c.status NOT IN ('queued', 'ended') AND i.is_current
    ORDER BY c.id FOR NO KEY UPDATE OF c
  ), begun AS (
    INSERT INTO call_attempts (call_id, number, trunk, epoch, begun_at)
    SELECT i.id, i.number, i.trunk, i.epoch, clock_timestamp() FROM input i JOIN locked l ON l.id = i.id
    ON CONFLICT DO NOTHING RETURNING call_attempts.call_id
  ), written AS (
    UPDATE calls c SET carrier = i.carrier, dialog = NULL
    FROM input i JOIN begun b ON b.call_id = i.id WHERE c.id = i.id
  )
  SELECT i.id, CASE WHEN NOT i.is_current THEN 'gate_stale' WHEN l.id IS NULL THEN 'fenced' ELSE 'written' END,
    COALESCE(l.end_requested_at IS NOT NULL, false)
  FROM input i LEFT JOIN locked l ON l.id = i.id;
END $$;
