-- Counts a dial to a number, unless one of the account's caps is reached: then it answers false, and counts nothing. `own` is the
-- entry that the call has already, which moves to this moment.
--
-- It locks the number's row before it asks, and each of its statements reads what was committed before: two workers share one
-- count. Whoever asks for several calls asks in the order of account and number.
CREATE OR REPLACE FUNCTION grant_dial(account uuid, callee text, own timestamptz, moment timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE SET enable_seqscan = off
AS $$
DECLARE
  callee_digits bigint := substr(callee, 2)::bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM policies_of(account) p WHERE p.settings->'caps' <> '[]') THEN RETURN true; END IF;
  LOOP
    -- Most numbers have no row. A cap allows one dial at least.
    INSERT INTO dial_counts (account_id, number, dialed_at) VALUES (account, callee_digits, ARRAY[moment])
    ON CONFLICT DO NOTHING;
    IF FOUND THEN RETURN true; END IF;
    PERFORM FROM dial_counts k WHERE k.account_id = account AND k.number = callee_digits FOR NO KEY UPDATE;
    -- It may have been swept.
    EXIT WHEN FOUND;
  END LOOP;
  IF EXISTS (SELECT FROM caps_reached(account, callee, moment, own)) THEN RETURN false; END IF;
  -- As many as the largest cap counts, for as long as the longest period.
  UPDATE dial_counts k
  SET dialed_at = ARRAY(
    SELECT x.at FROM (
      SELECT d.at FROM unnest(k.dialed_at) WITH ORDINALITY d(at, place)
      WHERE d.at > moment - interval '720 hours' AND d.place IS DISTINCT FROM array_position(k.dialed_at, own)
      ORDER BY d.at DESC LIMIT 49) x
    ORDER BY x.at) || moment
  WHERE k.account_id = account AND k.number = callee_digits;
  RETURN true;
END $$;
