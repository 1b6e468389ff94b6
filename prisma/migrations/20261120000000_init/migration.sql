-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "call_status" AS ENUM ('queued', 'dialing', 'ringing', 'in_progress', 'ended');

-- CreateEnum
CREATE TYPE "ended_reason" AS ENUM ('callee_hangup', 'agent_hangup', 'max_duration_reached', 'silence_timeout', 'voicemail_reached', 'call_screened', 'funds_exhausted', 'cancelled', 'hung_up_by_api', 'busy', 'no_answer', 'declined', 'invalid_destination', 'carrier_rejected', 'carrier_unavailable', 'queue_expired', 'agent_error', 'no_audio', 'worker_lost', 'reconciled_unknown');

-- CreateEnum
CREATE TYPE "answered_by" AS ENUM ('human', 'voicemail', 'ivr', 'screening', 'unknown');

-- CreateEnum
CREATE TYPE "ledger_kind" AS ENUM ('top_up', 'call_charge');

-- CreateEnum
CREATE TYPE "reservation_state" AS ENUM ('used', 'void');

-- CreateTable
CREATE TABLE "accounts" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "may_use_system_number" BOOLEAN NOT NULL DEFAULT false,
    "max_duration_seconds" INTEGER NOT NULL DEFAULT 7200,
    "ring_timeout_seconds" INTEGER NOT NULL DEFAULT 120,
    "capacity" INTEGER NOT NULL DEFAULT 10,
    "capacity_version" BIGINT NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "shown_prefix" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "scope" TEXT NOT NULL DEFAULT 'outbound',
    "requests_per_second" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_versions" (
    "agent_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "settings" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_versions_pkey" PRIMARY KEY ("agent_id","version")
);

-- CreateTable
CREATE TABLE "agent_grants" (
    "agent_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agent_grants_pkey" PRIMARY KEY ("agent_id","account_id")
);

-- CreateTable
CREATE TABLE "phone_numbers" (
    "id" UUID NOT NULL,
    "account_id" UUID,
    "e164" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "outbound_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "phone_numbers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blocked_destinations" (
    "account_id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blocked_destinations_pkey" PRIMARY KEY ("account_id","prefix")
);

-- CreateTable
CREATE TABLE "rate_decks" (
    "currency" CHAR(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "rate_decks_pkey" PRIMARY KEY ("currency")
);

-- CreateTable
CREATE TABLE "rates" (
    "currency" CHAR(3) NOT NULL,
    "prefix" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "connection_fee_micros" BIGINT NOT NULL,
    "price_per_minute_micros" BIGINT NOT NULL,
    "initial_increment_seconds" INTEGER NOT NULL,
    "increment_seconds" INTEGER NOT NULL,

    CONSTRAINT "rates_pkey" PRIMARY KEY ("currency","prefix")
);

-- CreateTable
CREATE TABLE "wallets" (
    "account_id" UUID NOT NULL,
    "balance_micros" BIGINT NOT NULL DEFAULT 0,
    "version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "wallets_pkey" PRIMARY KEY ("account_id")
);

-- CreateTable
CREATE TABLE "ledger_entries" (
    "id" BIGSERIAL NOT NULL,
    "account_id" UUID NOT NULL,
    "call_id" UUID,
    "kind" "ledger_kind" NOT NULL,
    "amount_micros" BIGINT NOT NULL,
    "idempotency_key" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calls" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "agent_version" INTEGER NOT NULL,
    "caller_number" TEXT NOT NULL,
    "callee_number" TEXT NOT NULL,
    "status" "call_status" NOT NULL DEFAULT 'queued',
    "ended_reason" "ended_reason",
    "currency" CHAR(3) NOT NULL,
    "rate_prefix" TEXT NOT NULL,
    "connection_fee_micros" BIGINT NOT NULL,
    "price_per_minute_micros" BIGINT NOT NULL,
    "initial_increment_seconds" INTEGER NOT NULL,
    "increment_seconds" INTEGER NOT NULL,
    "reservation_id" UUID NOT NULL,
    "hold_micros" BIGINT NOT NULL,
    "cost_micros" BIGINT NOT NULL DEFAULT 0,
    "billable_seconds" INTEGER NOT NULL DEFAULT 0,
    "max_duration_seconds" INTEGER NOT NULL,
    "ring_timeout_seconds" INTEGER NOT NULL,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "idempotency_key" TEXT,
    "body_digest" BYTEA,
    "request_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "answered_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "end_requested_at" TIMESTAMPTZ(3),
    "settled_at" TIMESTAMPTZ(3),
    "answered_by" "answered_by",
    "sip_code" INTEGER,
    "transcript" JSONB,
    "summary" TEXT,
    "review_note" TEXT,
    "recording_key" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "worker_id" TEXT,
    "lease_renewed_at" TIMESTAMPTZ(3),
    "lease_expires_at" TIMESTAMPTZ(3),
    "taken_over_at" TIMESTAMPTZ(3),
    "carrier" TEXT,
    "dialog" JSONB,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "call_events" (
    "id" BIGSERIAL NOT NULL,
    "call_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "type" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "call_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "reservations" (
    "id" UUID NOT NULL,
    "state" "reservation_state" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gate" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "generation" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "gate_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "system_settings" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "capacity" INTEGER NOT NULL DEFAULT 1000,
    "capacity_version" BIGINT NOT NULL DEFAULT 1,

    CONSTRAINT "system_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject_type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_digest_key" ON "api_keys"("digest");

-- CreateIndex
CREATE INDEX "api_keys_account_id_created_at_idx" ON "api_keys"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "agents_account_id_created_at_idx" ON "agents"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "phone_numbers_account_id_created_at_idx" ON "phone_numbers"("account_id", "created_at");

-- CreateIndex
CREATE INDEX "ledger_entries_account_id_id_idx" ON "ledger_entries"("account_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entries_call_id_kind_key" ON "ledger_entries"("call_id", "kind");

-- CreateIndex
CREATE INDEX "calls_account_id_created_at_id_idx" ON "calls"("account_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "calls_account_id_agent_id_created_at_id_idx" ON "calls"("account_id", "agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "calls_account_id_callee_number_created_at_id_idx" ON "calls"("account_id", "callee_number", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "call_events_call_id_id_idx" ON "call_events"("call_id", "id");

-- CreateIndex
CREATE INDEX "audit_entries_subject_type_subject_id_id_idx" ON "audit_entries"("subject_type", "subject_id", "id");

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agents" ADD CONSTRAINT "agents_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_versions" ADD CONSTRAINT "agent_versions_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_grants" ADD CONSTRAINT "agent_grants_agent_id_fkey" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_grants" ADD CONSTRAINT "agent_grants_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "phone_numbers" ADD CONSTRAINT "phone_numbers_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "blocked_destinations" ADD CONSTRAINT "blocked_destinations_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "rates" ADD CONSTRAINT "rates_currency_fkey" FOREIGN KEY ("currency") REFERENCES "rate_decks"("currency") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "wallets" ADD CONSTRAINT "wallets_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_agent_id_agent_version_fkey" FOREIGN KEY ("agent_id", "agent_version") REFERENCES "agent_versions"("agent_id", "version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "call_events" ADD CONSTRAINT "call_events_call_id_fkey" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rules -----------------------------------------------------------------------------------------------------------
-- What must hold whatever the code does. Amounts stay below 2^53 because the gate computes with doubles.

ALTER TABLE "accounts"
    ADD CONSTRAINT "accounts_name_check" CHECK (length(btrim("name")) BETWEEN 1 AND 200),
    ADD CONSTRAINT "accounts_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
    ADD CONSTRAINT "accounts_capacity_check" CHECK ("capacity" >= 0),
    ADD CONSTRAINT "accounts_max_duration_check" CHECK ("max_duration_seconds" BETWEEN 5 AND 7200),
    ADD CONSTRAINT "accounts_ring_timeout_check" CHECK ("ring_timeout_seconds" BETWEEN 5 AND 120);

ALTER TABLE "api_keys"
    ADD CONSTRAINT "api_keys_digest_check" CHECK (octet_length("digest") = 32),
    ADD CONSTRAINT "api_keys_scope_check" CHECK ("scope" IN ('outbound')),
    ADD CONSTRAINT "api_keys_rate_check" CHECK ("requests_per_second" > 0);

ALTER TABLE "agent_versions"
    ADD CONSTRAINT "agent_versions_settings_check" CHECK (jsonb_typeof("settings") = 'object'),
    ADD CONSTRAINT "agent_versions_version_check" CHECK ("version" >= 1);

ALTER TABLE "phone_numbers"
    ADD CONSTRAINT "phone_numbers_e164_check" CHECK ("e164" ~ '^\+[1-9][0-9]{6,14}$');

ALTER TABLE "blocked_destinations"
    ADD CONSTRAINT "blocked_destinations_prefix_check" CHECK ("prefix" ~ '^[1-9][0-9]{0,14}$');

ALTER TABLE "rate_decks"
    ADD CONSTRAINT "rate_decks_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');

ALTER TABLE "rates"
    ADD CONSTRAINT "rates_prefix_check" CHECK ("prefix" ~ '^[1-9][0-9]{0,14}$'),
    ADD CONSTRAINT "rates_fee_check" CHECK ("connection_fee_micros" BETWEEN 0 AND 1000000000000),
    ADD CONSTRAINT "rates_price_check" CHECK ("price_per_minute_micros" BETWEEN 0 AND 1000000000000),
    ADD CONSTRAINT "rates_initial_increment_check" CHECK ("initial_increment_seconds" BETWEEN 1 AND 3600),
    ADD CONSTRAINT "rates_increment_check" CHECK ("increment_seconds" BETWEEN 1 AND 3600);

ALTER TABLE "wallets"
    ADD CONSTRAINT "wallets_balance_check" CHECK ("balance_micros" BETWEEN 0 AND 9007199254740991);

ALTER TABLE "ledger_entries"
    ADD CONSTRAINT "ledger_entries_amount_check" CHECK (
        CASE "kind" WHEN 'top_up' THEN "amount_micros" > 0 WHEN 'call_charge' THEN "amount_micros" <= 0 END),
    ADD CONSTRAINT "ledger_entries_origin_check" CHECK (
        CASE "kind" WHEN 'top_up' THEN "call_id" IS NULL AND "idempotency_key" IS NOT NULL
                    WHEN 'call_charge' THEN "call_id" IS NOT NULL AND "idempotency_key" IS NULL END);

ALTER TABLE "calls"
    ADD CONSTRAINT "calls_caller_number_check" CHECK ("caller_number" ~ '^\+[1-9][0-9]{6,14}$'),
    ADD CONSTRAINT "calls_callee_number_check" CHECK ("callee_number" ~ '^\+[1-9][0-9]{6,14}$'),
    ADD CONSTRAINT "calls_hold_check" CHECK ("hold_micros" BETWEEN 0 AND 9007199254740991),
    ADD CONSTRAINT "calls_cost_check" CHECK ("cost_micros" BETWEEN 0 AND "hold_micros"),
    ADD CONSTRAINT "calls_cost_at_end_check" CHECK ("cost_micros" = 0 OR "status" = 'ended'),
    ADD CONSTRAINT "calls_unanswered_is_free_check" CHECK ("cost_micros" = 0 OR "answered_at" IS NOT NULL),
    ADD CONSTRAINT "calls_billable_check" CHECK ("billable_seconds" >= 0),
    ADD CONSTRAINT "calls_limits_check" CHECK (
        "max_duration_seconds" BETWEEN 5 AND 7200 AND "ring_timeout_seconds" BETWEEN 5 AND 120),
    ADD CONSTRAINT "calls_idempotency_check" CHECK (("idempotency_key" IS NULL) = ("body_digest" IS NULL)),
    ADD CONSTRAINT "calls_epoch_check" CHECK ("epoch" >= 0),
    ADD CONSTRAINT "calls_claimed_check" CHECK (
        "status" = 'queued' OR "status" = 'ended' OR
        ("epoch" > 0 AND "worker_id" IS NOT NULL AND "started_at" IS NOT NULL AND "lease_expires_at" IS NOT NULL)),
    ADD CONSTRAINT "calls_in_progress_check" CHECK ("status" <> 'in_progress' OR "answered_at" IS NOT NULL),
    ADD CONSTRAINT "calls_ended_check" CHECK (
        ("status" = 'ended') = ("ended_at" IS NOT NULL) AND
        ("status" = 'ended') = ("ended_reason" IS NOT NULL) AND
        ("status" = 'ended') = ("settled_at" IS NOT NULL) AND
        ("status" <> 'ended' OR "started_at" IS NOT NULL)),
    ADD CONSTRAINT "calls_times_check" CHECK (
        "started_at" > "created_at" AND "answered_at" >= "started_at" AND
        "ended_at" >= COALESCE("answered_at", "started_at"));

ALTER TABLE "gate" ADD CONSTRAINT "gate_one_row_check" CHECK ("id" = 1);
ALTER TABLE "system_settings"
    ADD CONSTRAINT "system_settings_one_row_check" CHECK ("id" = 1),
    ADD CONSTRAINT "system_settings_capacity_check" CHECK ("capacity" >= 0);

INSERT INTO "gate" DEFAULT VALUES;
INSERT INTO "system_settings" DEFAULT VALUES;

-- Partial indexes -------------------------------------------------------------------------------------------------

-- A retry with the same key finds one call; the id derived from the key says the same a second time.
CREATE UNIQUE INDEX "calls_idempotency_key" ON "calls"("account_id", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;
-- Open calls are few, whatever the age of the account: counting and listing them must not depend on the ended ones.
-- No index names the status or the lease, and pages keep room: what changes between accept and settle then rewrites the
-- row beside itself and touches no index at all. Queued calls and leases are looked for among the open ones.
CREATE INDEX "calls_open_idx" ON "calls"("account_id", "created_at" DESC, "id" DESC) WHERE "ended_at" IS NULL;
CREATE INDEX "calls_ended_reason_idx" ON "calls"("account_id", "ended_reason", "created_at" DESC, "id" DESC) WHERE "ended_reason" IS NOT NULL;
ALTER TABLE "calls" SET (fillfactor = 70);
-- Only top-ups carry a key; the charges, which are most entries, stay out of it.
CREATE UNIQUE INDEX "ledger_entries_idempotency_key" ON "ledger_entries"("account_id", "idempotency_key") WHERE "idempotency_key" IS NOT NULL;
CREATE UNIQUE INDEX "phone_numbers_e164_key" ON "phone_numbers"("account_id", "e164") NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "phone_numbers_default_key" ON "phone_numbers"("account_id") NULLS NOT DISTINCT WHERE "is_default";

-- Functions -------------------------------------------------------------------------------------------------------
-- Each takes the gate's advisory lock (731 is its number) before it looks at anything. A VOLATILE function takes a
-- new snapshot for each of its statements, so what follows the lock sees what was committed while it waited; in one
-- plain statement the snapshot would predate the wait. One round trip also means that a stopped client can never
-- leave the lock held by a transaction that idles.
--
-- A function's plans are made once a session. One that was made while a table was small would go on reading all of it
-- when it has grown: these settings leave it no way but the index. Compiling (jit) would take a hundred times as long
-- as running.

-- Times cross the border as whole milliseconds since 1970: as text they would depend on the session's time zone.
CREATE FUNCTION epoch_ms(moment timestamptz) RETURNS double precision LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT round(extract(epoch FROM moment) * 1000)::double precision $$;
CREATE FUNCTION from_epoch_ms(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT to_timestamp(ms / 1000.0::double precision) $$;

-- The timeline of this Postgres: it changes with every failover, after which commits may be missing.
CREATE FUNCTION postgres_timeline() RETURNS text LANGUAGE sql VOLATILE
AS $$ SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) $$;

-- Makes calls of reserved requests. Input: a JSON array of rows; output: one outcome per row.
CREATE FUNCTION accept_calls(batch jsonb)
RETURNS TABLE (call_id uuid, reservation_id uuid, outcome text, created_at timestamptz, expires_at timestamptz)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH input AS MATERIALIZED (
    SELECT r.*, v.is_void IS NOT NULL AS is_void,
      r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
        AS is_current
    FROM jsonb_to_recordset(batch) AS r(
      id uuid, account_id uuid, agent_id uuid, agent_version int, caller_number text, callee_number text,
      currency text, rate_prefix text, connection_fee_micros bigint, price_per_minute_micros bigint,
      initial_increment_seconds int, increment_seconds int, reservation_id uuid, hold_micros bigint,
      generation bigint, timeline text, max_duration_seconds int, ring_timeout_seconds int,
      variables jsonb, metadata jsonb, idempotency_key text, body_digest text, request_id text, queue_ttl_seconds int)
    -- OFFSET 0 keeps it a look-up for each row.
    LEFT JOIN LATERAL (SELECT true AS is_void FROM reservations x WHERE x.id = r.reservation_id OFFSET 0) v ON true
  ), inserted AS (
    INSERT INTO calls (
      id, account_id, agent_id, agent_version, caller_number, callee_number, currency, rate_prefix,
      connection_fee_micros, price_per_minute_micros, initial_increment_seconds, increment_seconds, reservation_id,
      hold_micros, max_duration_seconds, ring_timeout_seconds, variables, metadata, idempotency_key, body_digest,
      request_id, created_at, expires_at)
    SELECT
      i.id, i.account_id, i.agent_id, i.agent_version, i.caller_number, i.callee_number, i.currency, i.rate_prefix,
      i.connection_fee_micros, i.price_per_minute_micros, i.initial_increment_seconds, i.increment_seconds,
      i.reservation_id, i.hold_micros, i.max_duration_seconds, i.ring_timeout_seconds, i.variables, i.metadata,
      i.idempotency_key, decode(i.body_digest, 'hex'), i.request_id, t.now, t.now + make_interval(secs => i.queue_ttl_seconds)
    FROM input i, LATERAL (SELECT clock_timestamp() AS now WHERE i.id IS NOT NULL) t
    WHERE i.is_current AND NOT i.is_void
    -- One order for everybody: two batches that share ids must not wait for each other.
    ORDER BY i.id
    ON CONFLICT DO NOTHING
    RETURNING calls.id, calls.reservation_id, calls.created_at, calls.expires_at
  ), used AS (
    -- No ON CONFLICT: a void row that was committed meanwhile must fail this row, not pass unnoticed.
    INSERT INTO reservations (id, state) SELECT n.reservation_id, 'used' FROM inserted n ORDER BY 1
  ), events AS (
    INSERT INTO call_events (call_id, at, type) SELECT n.id, n.created_at, 'queued' FROM inserted n
  )
  SELECT i.id, i.reservation_id,
    CASE
      WHEN NOT i.is_current THEN 'gate_stale'
      WHEN i.is_void THEN 'voided'
      WHEN n.id IS NULL THEN 'call_exists'
      ELSE 'accepted'
    END,
    n.created_at, n.expires_at
  FROM input i LEFT JOIN inserted n ON n.id = i.id AND n.reservation_id = i.reservation_id;
END $$;

-- Takes larger holds that the gate has granted. Input: [{id, epoch, hold_micros, generation, timeline}].
CREATE FUNCTION enlarge_holds(batch jsonb) RETURNS TABLE (call_id uuid, outcome text)
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
    FROM jsonb_to_recordset(batch) AS r(id uuid, epoch int, hold_micros bigint, generation bigint, timeline text)
  ), locked AS (
    SELECT c.id, c.hold_micros AS before_micros
    FROM calls c JOIN input i ON c.id = i.id ORDER BY c.id FOR NO KEY UPDATE OF c
  ), written AS (
    UPDATE calls c SET hold_micros = GREATEST(c.hold_micros, i.hold_micros)
    FROM input i JOIN locked l ON l.id = i.id
    WHERE c.id = i.id AND c.epoch = i.epoch AND c.status NOT IN ('queued', 'ended') AND i.is_current
    RETURNING c.id, c.hold_micros, l.before_micros
  ), events AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT w.id, clock_timestamp(), 'hold_enlarged', jsonb_build_object('hold', w.hold_micros / 1e6::double precision)
    FROM written w WHERE w.hold_micros > w.before_micros
  )
  SELECT i.id, CASE WHEN NOT i.is_current THEN 'gate_stale' WHEN w.id IS NULL THEN 'fenced' ELSE 'enlarged' END
  FROM input i LEFT JOIN written w ON w.id = i.id;
END $$;

-- Makes sure that this reservation never becomes a call. Waits, for a while, for an accept of it that is under way.
CREATE FUNCTION void_reservation(reservation uuid) RETURNS reservation_state
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms'
AS $$
BEGIN
  INSERT INTO reservations (id, state) VALUES (reservation, 'void') ON CONFLICT (id) DO NOTHING;
  -- A statement of its own: it sees the row that the insert has waited for.
  RETURN (SELECT r.state FROM reservations r WHERE r.id = reservation);
END $$;

-- The next generation of the gate. Once it is committed, whatever was reserved under an earlier one is refused.
CREATE FUNCTION next_gate_generation() RETURNS TABLE (generation bigint, timeline text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s'
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(731);
  RETURN QUERY UPDATE gate SET generation = gate.generation + 1 RETURNING gate.generation, postgres_timeline();
END $$;
