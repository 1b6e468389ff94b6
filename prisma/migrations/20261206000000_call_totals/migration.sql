-- CreateTable
CREATE TABLE "uncounted_calls" (
    "account_id" UUID NOT NULL,
    "call_id" UUID NOT NULL,

    CONSTRAINT "uncounted_calls_pkey" PRIMARY KEY ("account_id","call_id")
);

-- CreateTable
CREATE TABLE "call_totals" (
    "account_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_reason" "ended_reason" NOT NULL,
    "calls" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "cost_micros" BIGINT NOT NULL,
    "waiting_ms" BIGINT NOT NULL,
    "ringing_ms" BIGINT NOT NULL,
    "talking_ms" BIGINT NOT NULL,

    CONSTRAINT "call_totals_pkey" PRIMARY KEY ("account_id","starts_at","ended_reason")
);

-- CreateTable
CREATE TABLE "call_subject_totals" (
    "account_id" UUID NOT NULL,
    "subject_type" TEXT NOT NULL,
    "grain" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "subject" TEXT NOT NULL,
    "calls" INTEGER NOT NULL,
    "answered" INTEGER NOT NULL,
    "cost_micros" BIGINT NOT NULL,
    "waiting_ms" BIGINT NOT NULL,
    "ringing_ms" BIGINT NOT NULL,
    "talking_ms" BIGINT NOT NULL,

    CONSTRAINT "call_subject_totals_pkey" PRIMARY KEY ("account_id","subject_type","grain","starts_at","subject")
);

-- CreateTable
CREATE TABLE "called_numbers" (
    "account_id" UUID NOT NULL,
    "number" TEXT NOT NULL,

    CONSTRAINT "called_numbers_pkey" PRIMARY KEY ("account_id","number")
);

-- CreateTable
CREATE TABLE "call_terms" (
    "account_id" UUID NOT NULL,
    "value" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "call_id" UUID NOT NULL,
    "key" TEXT NOT NULL,

    CONSTRAINT "call_terms_pkey" PRIMARY KEY ("account_id","value","created_at","call_id","key")
);

-- CreateTable
CREATE TABLE "call_count_progress" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "last_call_id" UUID,
    "finished" BOOLEAN NOT NULL,

    CONSTRAINT "call_count_progress_pkey" PRIMARY KEY ("id")
);

-- Rules -----------------------------------------------------------------------------------------------------------

ALTER TABLE "call_subject_totals"
    ADD CONSTRAINT "call_subject_totals_type_check" CHECK ("subject_type" IN ('agent', 'number')),
    ADD CONSTRAINT "call_subject_totals_grain_check" CHECK ("grain" IN ('half_hour', 'day'));
ALTER TABLE "call_count_progress" ADD CONSTRAINT "call_count_progress_one_row_check" CHECK ("id" = 1);

-- Rows of the totals are updated in place; the list of uncounted calls is emptied all the time.
ALTER TABLE "call_totals" SET (fillfactor = 80);
ALTER TABLE "call_subject_totals" SET (fillfactor = 80);
ALTER TABLE "uncounted_calls" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Functions -------------------------------------------------------------------------------------------------------

-- What is counted of an ended call. Half hours begin on the hour and the half hour of UTC, and so in nearly every time
-- zone. A call that was never dialled waited until it ended.
CREATE VIEW "ended_call_facts" AS
SELECT c.id, c.account_id, c.agent_id, c.caller_number, c.callee_number, c.metadata, c.created_at, c.ended_reason,
  to_timestamp(floor(extract(epoch FROM c.ended_at) / 1800) * 1800)::timestamptz(3) AS starts_at,
  (c.answered_at IS NOT NULL)::int AS answered, c.cost_micros,
  round(extract(epoch FROM c.started_at - c.created_at) * 1000)::bigint AS waiting_ms,
  round(extract(epoch FROM COALESCE(c.answered_at, c.ended_at) - c.started_at) * 1000)::bigint AS ringing_ms,
  round(extract(epoch FROM c.ended_at - COALESCE(c.answered_at, c.ended_at)) * 1000)::bigint AS talking_ms
FROM calls c WHERE c.status = 'ended';

-- Notes a call in the statement that ends it, so that each is counted once, whoever ends it. It only inserts: no total is
-- a row that the workers would wait for.
CREATE FUNCTION note_ended_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uncounted_calls (account_id, call_id) VALUES (NEW.account_id, NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER calls_ended AFTER UPDATE OF status ON calls
  FOR EACH ROW WHEN (NEW.status = 'ended' AND OLD.status <> 'ended') EXECUTE FUNCTION note_ended_call();

-- The top level of a call's metadata as terms to search by, in lower case. Text that Postgres cannot hold, such as
-- \u0000, makes a call without terms; an error would stop the counting of every account.
CREATE FUNCTION metadata_terms(metadata json) RETURNS TABLE (key text, value text) LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
    SELECT DISTINCT lower(left(e.key, 100)), lower(left(e.value #>> '{}', 200)) FROM (
      SELECT m.key, m.value FROM json_each(metadata) m
      WHERE json_typeof(m.value) IN ('string', 'number', 'boolean') LIMIT 32
    ) e;
EXCEPTION WHEN data_exception THEN
  RETURN;
END $$;

-- Adds ended calls to the totals and to what calls are searched by. Each call may be added once.
CREATE FUNCTION add_to_call_totals(ids uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE SET jit = off AS $$
BEGIN
  INSERT INTO call_totals AS t
    (account_id, starts_at, ended_reason, calls, answered, cost_micros, waiting_ms, ringing_ms, talking_ms)
  SELECT f.account_id, f.starts_at, f.ended_reason, count(*), sum(f.answered), sum(f.cost_micros), sum(f.waiting_ms),
    sum(f.ringing_ms), sum(f.talking_ms)
  FROM ended_call_facts f WHERE f.id = ANY (ids) GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (account_id, starts_at, ended_reason) DO UPDATE SET
    calls = t.calls + EXCLUDED.calls, answered = t.answered + EXCLUDED.answered,
    cost_micros = t.cost_micros + EXCLUDED.cost_micros, waiting_ms = t.waiting_ms + EXCLUDED.waiting_ms,
    ringing_ms = t.ringing_ms + EXCLUDED.ringing_ms, talking_ms = t.talking_ms + EXCLUDED.talking_ms;

  -- Twice: by UTC day, which keeps long spans quick to read, and by half hour for where a span begins and ends.
  INSERT INTO call_subject_totals AS t (account_id, subject_type, grain, starts_at, subject, calls, answered, cost_micros,
    waiting_ms, ringing_ms, talking_ms)
  SELECT f.account_id, s.subject_type, g.grain, g.starts_at, s.subject, count(*), sum(f.answered), sum(f.cost_micros),
    sum(f.waiting_ms), sum(f.ringing_ms), sum(f.talking_ms)
  FROM ended_call_facts f,
    LATERAL (VALUES ('agent', f.agent_id::text), ('number', f.caller_number)) AS s(subject_type, subject),
    LATERAL (VALUES ('half_hour', f.starts_at), ('day', date_trunc('day', f.starts_at, 'UTC'))) AS g(grain, starts_at)
  WHERE f.id = ANY (ids) GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (account_id, subject_type, grain, starts_at, subject) DO UPDATE SET
    calls = t.calls + EXCLUDED.calls, answered = t.answered + EXCLUDED.answered,
    cost_micros = t.cost_micros + EXCLUDED.cost_micros, waiting_ms = t.waiting_ms + EXCLUDED.waiting_ms,
    ringing_ms = t.ringing_ms + EXCLUDED.ringing_ms, talking_ms = t.talking_ms + EXCLUDED.talking_ms;

  INSERT INTO called_numbers (account_id, number)
  SELECT DISTINCT f.account_id, f.callee_number FROM ended_call_facts f WHERE f.id = ANY (ids)
  ON CONFLICT DO NOTHING;

  INSERT INTO call_terms (account_id, value, created_at, call_id, key)
  SELECT f.account_id, m.value, f.created_at, f.id, m.key
  FROM ended_call_facts f, LATERAL metadata_terms(f.metadata) m WHERE f.id = ANY (ids) AND m.value <> ''
  ON CONFLICT DO NOTHING;
END $$;

-- Counts the next ended calls, and returns how many it looked at; 0: there is nothing to count, or another worker counts.
-- First those of before the trigger, by id, from where the last batch stopped. None of those that the trigger noted is
-- counted until that is over: a call is either noted or from before, never both.
CREATE FUNCTION count_ended_calls(batch_size int) RETURNS int LANGUAGE plpgsql VOLATILE SET jit = off AS $$
DECLARE
  progress call_count_progress;
  ids uuid[];
  walked uuid[];
BEGIN
  IF NOT pg_try_advisory_xact_lock(732) THEN
    RETURN 0;
  END IF;
  SELECT * INTO progress FROM call_count_progress p WHERE p.id = 1;
  IF progress.finished THEN
    WITH batch AS (
      SELECT u.account_id, u.call_id FROM uncounted_calls u LIMIT batch_size
    ), taken AS (
      DELETE FROM uncounted_calls u USING batch b WHERE u.account_id = b.account_id AND u.call_id = b.call_id
      RETURNING u.call_id
    )
    SELECT array_agg(t.call_id) INTO ids FROM taken t;
    PERFORM add_to_call_totals(ids) WHERE ids IS NOT NULL;
    RETURN COALESCE(cardinality(ids), 0);
  END IF;

  -- One statement sees a call as ended and as noted, or as neither.
  SELECT array_agg(w.id), array_agg(w.id) FILTER (WHERE w.status = 'ended' AND NOT w.is_noted) INTO walked, ids FROM (
    SELECT c.id, c.status,
      EXISTS (SELECT FROM uncounted_calls u WHERE u.account_id = c.account_id AND u.call_id = c.id) AS is_noted
    FROM calls c WHERE progress.last_call_id IS NULL OR c.id > progress.last_call_id ORDER BY c.id LIMIT batch_size
  ) w;
  PERFORM add_to_call_totals(ids) WHERE ids IS NOT NULL;
  UPDATE call_count_progress p SET
    last_call_id = COALESCE(walked[cardinality(walked)], p.last_call_id), finished = walked IS NULL
  WHERE p.id = 1;
  RETURN GREATEST(COALESCE(cardinality(walked), 0), 1);
END $$;

-- Begins the counting again from the first call: for calls that were written past the trigger, as a restored backup's.
-- Waits for the calls that are ending, and lets none end until it is committed.
CREATE FUNCTION recount_calls() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(732);
  LOCK TABLE calls IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM uncounted_calls;
  DELETE FROM call_totals;
  DELETE FROM call_subject_totals;
  DELETE FROM called_numbers;
  DELETE FROM call_terms;
  UPDATE call_count_progress SET last_call_id = NULL, finished = false;
END $$;

INSERT INTO "call_count_progress" ("finished") SELECT NOT EXISTS (SELECT FROM "calls");
