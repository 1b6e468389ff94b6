-- What an account has, without what its open calls, with their second legs, and its tries may still cost.
CREATE OR REPLACE FUNCTION available_for_tries(account uuid) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT w.balance_micros
    - COALESCE((SELECT sum(c.hold_micros + transfer_hold_of(c.id)) FROM calls c
                WHERE c.account_id = w.account_id AND c.ended_at IS NULL AND c.reservation_id IS NOT NULL), 0)::bigint
    - COALESCE((SELECT sum(t.hold_micros) FROM agent_tries t
                WHERE t.account_id = w.account_id AND t.ended_at IS NULL), 0)::bigint
  FROM wallets w WHERE w.account_id = account
$$;
