-- The next generation of the gate. Once it is committed, reservations of an earlier generation are rejected.
CREATE OR REPLACE FUNCTION next_gate_generation() RETURNS TABLE (generation bigint, timeline text)
LANGUAGE plpgsql VOLATILE SET lock_timeout = '5s'
AS $$
#variable_conflict use_column
BEGIN
  PERFORM pg_advisory_xact_lock(731);
  RETURN QUERY UPDATE gate SET generation = gate.generation + 1 RETURNING gate.generation, postgres_timeline();
END $$;
