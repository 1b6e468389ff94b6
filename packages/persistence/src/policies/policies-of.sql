-- The calling policies that bind an account: its own, and the operator's floor. No row: any hour, however often. Postgres inlines
-- it, so that it reads the snapshot of the statement that asks.
CREATE OR REPLACE FUNCTION policies_of(account uuid)
RETURNS TABLE (settings jsonb, is_floor boolean) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT p.settings, false
  FROM accounts a JOIN calling_policies p ON p.account_id = a.id AND p.version = a.policy_version WHERE a.id = account
  UNION ALL
  SELECT s.policy_floor, true FROM system_settings s WHERE s.id = 1 AND s.policy_floor IS NOT NULL
$$;
