-- The calling policies that bind an account: its own, and the operator's floor. No row: any hour, however often. Postgres inlines
-- it, so that it reads the snapshot of the statement that asks.
--
-- OFFSET 0 keeps it a look-up of the version in force: earlier versions are neither read nor judged.
CREATE OR REPLACE FUNCTION policies_of(account uuid)
RETURNS TABLE (settings jsonb, is_floor boolean) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT p.settings, false
  FROM accounts a, LATERAL (
    SELECT v.settings FROM calling_policies v WHERE v.account_id = a.id AND v.version = a.policy_version OFFSET 0
  ) p
  WHERE a.id = account AND a.policy_version > 0
  UNION ALL
  SELECT s.policy_floor, true FROM system_settings s WHERE s.id = 1 AND s.policy_floor IS NOT NULL
$$;
