-- Conversations with agents in text. Only adds: the version before runs on it unchanged.

-- CreateTable
CREATE TABLE "agent_tries" (
    "id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "agent_version" INTEGER NOT NULL,
    "driver" TEXT NOT NULL,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "needs" JSONB NOT NULL DEFAULT '[]',
    "rates" JSONB NOT NULL DEFAULT '[]',
    "hold_micros" BIGINT NOT NULL,
    "reservation_id" UUID NOT NULL,
    "lines" JSONB,
    "lease" UUID,
    "lease_until" TIMESTAMPTZ(3),
    "claims" INTEGER NOT NULL DEFAULT 0,
    "usage" JSONB NOT NULL DEFAULT '[]',
    "cost_micros" BIGINT NOT NULL DEFAULT 0,
    "ended_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "agent_tries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "agent_tries_account_id_created_at_idx" ON "agent_tries"("account_id", "created_at");

-- AddForeignKey
ALTER TABLE "agent_tries" ADD CONSTRAINT "agent_tries_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "agent_tries" ADD CONSTRAINT "agent_tries_agent_id_agent_version_fkey" FOREIGN KEY ("agent_id", "agent_version") REFERENCES "agent_versions"("agent_id", "version") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AlterTable
ALTER TABLE "ledger_entries" ADD COLUMN "try_id" UUID;

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "agent_tries"
    ADD CONSTRAINT "agent_tries_cost_check" CHECK ("cost_micros" >= 0 AND "cost_micros" <= "hold_micros"),
    ADD CONSTRAINT "agent_tries_ended_check" CHECK (("ended_at" IS NULL) = ("ended_reason" IS NULL)),
    ADD CONSTRAINT "agent_tries_times_check" CHECK ("created_at" < "expires_at" AND "created_at" <= "ended_at");

-- NOT VALID: no entry has a try yet, and the ledger is large. A later migration validates them.
ALTER TABLE "ledger_entries"
    ADD CONSTRAINT "ledger_entries_try_id_fkey" FOREIGN KEY ("try_id") REFERENCES "agent_tries"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID,
    ADD CONSTRAINT "ledger_entries_try_check" CHECK (
        ("kind" = 'try_charge') = ("try_id" IS NOT NULL) AND
        ("try_id" IS NULL OR ("amount_micros" <= 0 AND "call_id" IS NULL AND "idempotency_key" IS NULL))) NOT VALID;

-- What is open is little, whatever the number of tries.
CREATE INDEX "agent_tries_open_idx" ON "agent_tries"("lease_until") WHERE "ended_at" IS NULL;

-- Functions -------------------------------------------------------------------------------------------------------

-- Begins a conversation with an agent in text, within the bounds of its account. Input: {id, account_id, agent_id,
-- agent_version, driver, variables, needs, rates, hold_micros, reservation_id, max_open, max_seconds, least_seconds,
-- account_seconds, window_seconds}. The lock is the account's own: of two that begin at once, the second sees the first.
CREATE OR REPLACE FUNCTION begin_try(input jsonb)
RETURNS TABLE (outcome text, in_use int, retry_after_seconds int, available_micros bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off
AS $$
#variable_conflict use_column
DECLARE
  given record;
  known record;
  available bigint;
  granted int;
BEGIN
  SELECT r.* INTO given FROM jsonb_to_record(input) AS r(
    id uuid, account_id uuid, agent_id uuid, agent_version int, driver text, variables jsonb, needs jsonb, rates jsonb,
    hold_micros bigint, reservation_id uuid, max_open int, max_seconds int, least_seconds int, account_seconds int,
    window_seconds int);
  PERFORM pg_advisory_xact_lock(hashtextextended('try ' || given.account_id::text, 732));
  -- A try that is open counts with all the time that it may take.
  SELECT count(*) FILTER (WHERE t.ended_at IS NULL)::int AS open,
    COALESCE(ceil(sum(EXTRACT(epoch FROM COALESCE(t.ended_at, t.expires_at) - t.created_at))), 0)::int AS seconds,
    min(t.created_at) AS oldest, min(t.expires_at) FILTER (WHERE t.ended_at IS NULL) AS soonest
  INTO known FROM agent_tries t
  WHERE t.account_id = given.account_id
    AND (t.ended_at IS NULL OR t.created_at > clock_timestamp() - given.window_seconds * interval '1 second');
  IF known.open >= given.max_open THEN
    RETURN QUERY SELECT 'too_many', known.open,
      GREATEST(1, ceil(EXTRACT(epoch FROM known.soonest - clock_timestamp())))::int, 0::bigint;
    RETURN;
  END IF;
  granted := LEAST(given.max_seconds, given.account_seconds - known.seconds);
  IF granted < given.least_seconds THEN
    RETURN QUERY SELECT 'no_time', known.seconds, GREATEST(1, ceil(EXTRACT(
      epoch FROM known.oldest + given.window_seconds * interval '1 second' - clock_timestamp())))::int, 0::bigint;
    RETURN;
  END IF;
  SELECT w.balance_micros
    - COALESCE((SELECT sum(c.hold_micros) FROM calls c WHERE c.account_id = w.account_id AND c.ended_at IS NULL), 0)
    - COALESCE((SELECT sum(t.hold_micros) FROM agent_tries t WHERE t.account_id = w.account_id AND t.ended_at IS NULL), 0)
  INTO available FROM wallets w WHERE w.account_id = given.account_id;
  IF available < given.hold_micros THEN
    RETURN QUERY SELECT 'insufficient_funds', 0, 0, available;
    RETURN;
  END IF;
  INSERT INTO agent_tries (id, account_id, agent_id, agent_version, driver, variables, needs, rates, hold_micros,
    reservation_id, created_at, expires_at)
  VALUES (given.id, given.account_id, given.agent_id, given.agent_version, given.driver, given.variables, given.needs,
    given.rates, given.hold_micros, given.reservation_id, clock_timestamp(),
    clock_timestamp() + granted * interval '1 second');
  RETURN QUERY SELECT 'begun', known.open + 1, 0, available;
END $$;

-- Ends a conversation in text: its usage, its charge and the new balance. Input: {id, lease, reason, usage, cost_micros,
-- generation, timeline}; the last two are null for what costs nothing. For the lock and the settings, see
-- accept-calls.sql. A repetition answers 'fenced' and charges nothing again.
CREATE OR REPLACE FUNCTION finish_try(input jsonb)
RETURNS TABLE (outcome text, balance_micros bigint, balance_version bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH given AS MATERIALIZED (
    SELECT r.*,
      r.cost_micros = 0 OR COALESCE(
        r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline()), false
      ) AS is_current
    FROM jsonb_to_record(input) AS r(
      id uuid, lease uuid, reason text, usage jsonb, cost_micros bigint, generation bigint, timeline text)
  ), locked AS MATERIALIZED (
    SELECT t.id, t.account_id, t.lease, t.ended_at FROM given g JOIN agent_tries t ON t.id = g.id FOR NO KEY UPDATE OF t
  ), due AS MATERIALIZED (
    SELECT l.id, l.account_id FROM locked l JOIN given g ON g.id = l.id
    WHERE l.ended_at IS NULL AND l.lease = g.lease AND g.is_current
  ), finished AS (
    UPDATE agent_tries t SET ended_at = GREATEST(clock_timestamp(), t.created_at), ended_reason = g.reason,
      usage = g.usage, cost_micros = g.cost_micros, lease = NULL, lease_until = NULL
    FROM due d JOIN given g ON g.id = d.id WHERE t.id = d.id
  ), entries AS (
    INSERT INTO ledger_entries (account_id, try_id, kind, amount_micros)
    SELECT d.account_id, d.id, 'try_charge', -g.cost_micros
    FROM due d JOIN given g ON g.id = d.id WHERE g.usage <> '[]'::jsonb
  ), payer AS MATERIALIZED (
    SELECT w.account_id, g.cost_micros FROM due d JOIN given g ON g.id = d.id JOIN wallets w ON w.account_id = d.account_id
    WHERE g.cost_micros > 0 FOR NO KEY UPDATE OF w
  ), paid AS (
    UPDATE wallets w SET balance_micros = w.balance_micros - p.cost_micros, version = w.version + 1
    FROM payer p WHERE w.account_id = p.account_id
    RETURNING w.account_id, w.balance_micros, w.version
  )
  SELECT
    CASE WHEN d.id IS NOT NULL THEN 'finished' WHEN NOT g.is_current THEN 'gate_stale' ELSE 'fenced' END,
    COALESCE(p.balance_micros, w.balance_micros), COALESCE(p.version, w.version)
  FROM given g JOIN locked l ON l.id = g.id JOIN wallets w ON w.account_id = l.account_id
    LEFT JOIN due d ON d.id = g.id LEFT JOIN paid p ON p.account_id = l.account_id;
END $$;
