-- Ends the analysis of a call: its result, its event, its charge and the new balance. Input: {id, lease, status, analysis,
-- data (of the event), cost_micros, reservation_id, generation, timeline}; the last three are null for what costs nothing.
-- For the lock and the settings, see accept-calls.sql. Rows are locked in the order of a settlement.
CREATE OR REPLACE FUNCTION finish_analysis(input jsonb)
RETURNS TABLE (outcome text, balance_micros bigint, balance_version bigint)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock_shared(731);
  RETURN QUERY
  WITH given AS MATERIALIZED (
    SELECT r.*,
      r.reservation_id IS NULL OR (
        r.generation = (SELECT g.generation FROM gate g WHERE g.id = 1) AND r.timeline = (SELECT postgres_timeline())
      ) AS is_current,
      EXISTS (SELECT FROM reservations x WHERE x.id = r.reservation_id AND x.state = 'void') AS is_void
    FROM jsonb_to_record(input) AS r(
      id uuid, lease uuid, status text, analysis jsonb, data jsonb, cost_micros bigint, reservation_id uuid,
      generation bigint, timeline text)
  ), locked AS MATERIALIZED (
    SELECT c.id, c.account_id, c.ended_at FROM given g JOIN calls c ON c.id = g.id FOR NO KEY UPDATE OF c
  ), due AS MATERIALIZED (
    SELECT l.id, l.account_id, l.ended_at
    FROM locked l JOIN given g ON g.id = l.id JOIN model_calls m ON m.call_id = l.id
    WHERE m.analysis_status = 'pending' AND m.analysis_lease = g.lease AND g.is_current AND NOT g.is_void
    FOR NO KEY UPDATE OF m
  ), finished AS (
    UPDATE model_calls m SET
      analysis_status = g.status, analysis = g.analysis, analysis_lease = NULL, analysis_due_at = NULL,
      analysis_reservation_id = g.reservation_id
    FROM due d JOIN given g ON g.id = d.id WHERE m.call_id = d.id
    RETURNING m.call_id
  ), used AS (
    -- No ON CONFLICT: a void row that was committed meanwhile must fail this statement, not pass unnoticed.
    INSERT INTO reservations (id, state)
    SELECT g.reservation_id, 'used' FROM finished f JOIN given g ON g.id = f.call_id WHERE g.reservation_id IS NOT NULL
  ), entries AS (
    INSERT INTO ledger_entries (account_id, call_id, kind, amount_micros)
    SELECT d.account_id, d.id, 'analysis_charge', -g.cost_micros
    FROM due d JOIN given g ON g.id = d.id WHERE g.analysis IS NOT NULL
  ), timeline AS (
    INSERT INTO call_events (call_id, at, type, data)
    SELECT d.id, GREATEST(clock_timestamp(), d.ended_at), 'analyzed', g.data FROM due d JOIN given g ON g.id = d.id
  ), payer AS MATERIALIZED (
    SELECT w.account_id, g.cost_micros FROM due d JOIN given g ON g.id = d.id JOIN wallets w ON w.account_id = d.account_id
    WHERE g.cost_micros > 0 FOR NO KEY UPDATE OF w
  ), paid AS (
    UPDATE wallets w SET balance_micros = w.balance_micros - p.cost_micros, version = w.version + 1
    FROM payer p WHERE w.account_id = p.account_id
    RETURNING w.account_id, w.balance_micros, w.version
  )
  SELECT
    CASE
      WHEN d.id IS NOT NULL THEN 'finished'
      WHEN NOT g.is_current THEN 'gate_stale'
      WHEN g.is_void THEN 'voided'
      ELSE 'fenced'
    END,
    COALESCE(p.balance_micros, w.balance_micros), COALESCE(p.version, w.version)
  FROM given g JOIN locked l ON l.id = g.id JOIN wallets w ON w.account_id = l.account_id
    LEFT JOIN due d ON d.id = g.id LEFT JOIN paid p ON p.account_id = l.account_id;
END $$;
