-- What is held for the second legs of a call, beside its own hold.
CREATE OR REPLACE FUNCTION transfer_hold_of(call uuid) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT COALESCE(sum(t.hold_micros), 0)::bigint FROM transfer_legs t WHERE t.call_id = call AND t.settled_at IS NULL;
$$;
