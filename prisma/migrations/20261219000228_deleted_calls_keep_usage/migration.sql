-- Deletes those of an account's calls `ids` that ended before a moment, with everything that belongs to them except for the ledger,
-- and returns how many. A call that is open, or that something still waits for, stays: its analysis, the totals, its campaign.
--
-- The key of a request stays behind for `key_days`, with the call as it ended, without what was said: a repeat of the request gets
-- the same answer, and is not dialed. `conducted` is what its cost consists of: usage, rates and second legs.
CREATE OR REPLACE FUNCTION delete_old_calls(account uuid, ids uuid[], ended_before timestamptz, key_days int) RETURNS int
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms' SET jit = off SET enable_seqscan = off SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
  due uuid[];
  numbers text[];
  kept calls;
BEGIN
  -- While old calls are counted into the totals, nothing says which ones were.
  IF NOT (SELECT p.finished FROM call_count_progress p WHERE p.id = 1) THEN
    RETURN 0;
  END IF;
  SELECT array_agg(d.id), array_agg(DISTINCT d.callee_number) INTO due, numbers FROM (
    SELECT c.id, c.callee_number FROM calls c
    WHERE c.id = ANY (ids) AND c.account_id = account AND c.status = 'ended' AND c.ended_at < ended_before
      AND is_call_done(c.id, c.account_id, c.campaign_id)
    ORDER BY c.id FOR UPDATE OF c SKIP LOCKED
  ) d;
  IF due IS NULL THEN
    RETURN 0;
  END IF;
  FOR kept IN SELECT c.* FROM calls c WHERE c.id = ANY (due) AND c.body_digest IS NOT NULL LOOP
    kept.transcript := NULL;
    kept.summary := NULL;
    kept.review_note := NULL;
    kept.recording_key := NULL;
    kept.recording_pending := false;
    kept.dialog := NULL;
    INSERT INTO deleted_call_keys (call_id, account_id, body_digest, call, expires_at)
    VALUES (kept.id, kept.account_id, kept.body_digest,
      (to_jsonb(kept) || jsonb_build_object('conducted', (
        SELECT jsonb_build_object('driver', m.driver, 'models', m.needs, 'rates', m.rates,
          'estimate_micros_per_minute', m.estimate_micros_per_minute, 'usage', m.usage, 'analysis_status', 'none',
          'analysis', NULL, 'turn_metrics', NULL, 'legs', (
            SELECT jsonb_agg(jsonb_build_object('id', t.id, 'destination', t.destination, 'number', t.callee_number,
              'prefix', t.rate_prefix, 'fee', t.connection_fee_micros, 'price', t.price_per_minute_micros,
              'initialIncrement', t.initial_increment_seconds, 'increment', t.increment_seconds,
              'startedAtMs', epoch_ms(t.begun_at), 'answeredAtMs', epoch_ms(t.answered_at),
              'connectedAtMs', epoch_ms(t.connected_at), 'endedAtMs', epoch_ms(t.ended_at), 'outcome', t.outcome,
              'sipCode', t.sip_code, 'billableSeconds', t.billable_seconds, 'cost', t.cost_micros) ORDER BY t.begun_at, t.id)
            FROM transfer_legs t WHERE t.call_id = m.call_id))
        FROM model_calls m WHERE m.call_id = kept.id)))::json,
      clock_timestamp() + make_interval(days => key_days))
    ON CONFLICT (call_id) DO UPDATE SET
      body_digest = excluded.body_digest, call = excluded.call, expires_at = excluded.expires_at;
  END LOOP;
  DELETE FROM call_terms t USING calls c, LATERAL metadata_terms(c.metadata) m
  WHERE c.id = ANY (due) AND t.account_id = account AND t.value = m.value AND t.created_at = c.created_at
    AND t.call_id = c.id AND t.key = m.key;
  DELETE FROM reservations r USING calls c WHERE c.id = ANY (due) AND r.id = c.reservation_id;
  DELETE FROM reservations r USING transfer_legs t WHERE t.call_id = ANY (due) AND r.id = t.reservation_id;
  DELETE FROM call_events e WHERE e.call_id = ANY (due);
  DELETE FROM calls c WHERE c.id = ANY (due);
  UPDATE retention_rounds SET calls_deleted_at = clock_timestamp() WHERE id = 1;
  -- Not while a call to one of these numbers is counted, which would find the number here.
  PERFORM pg_advisory_xact_lock(732);
  DELETE FROM called_numbers n
  WHERE n.account_id = account AND n.number = ANY (numbers)
    AND NOT EXISTS (SELECT FROM calls c WHERE c.account_id = n.account_id AND c.callee_number = n.number);
  RETURN cardinality(due);
END $$;
