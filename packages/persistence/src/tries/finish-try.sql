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
