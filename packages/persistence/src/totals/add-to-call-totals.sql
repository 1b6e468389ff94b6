-- Adds ended calls to the totals and to the numbers and search terms. Each call may be added once.
CREATE OR REPLACE FUNCTION add_to_call_totals(ids uuid[]) RETURNS void LANGUAGE plpgsql VOLATILE SET jit = off AS $$
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
