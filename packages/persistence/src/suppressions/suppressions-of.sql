-- The entries of do-not-call lists that forbid an account to call a number: its own, and those of the platform. Postgres
-- inlines it, so that it reads the snapshot of the statement that asks, by one look-up in the index by number.
--
-- COALESCE, and the conditions of the other indexes, leave that index alone to choose from. A plan that was made while the table
-- was empty must not read a list of millions.
CREATE OR REPLACE FUNCTION suppressions_of(account uuid, callee text)
RETURNS TABLE (suppression_id uuid, is_platform boolean) LANGUAGE sql STABLE PARALLEL SAFE
AS $$
  SELECT s.id, s.account_id IS NULL FROM suppressions s
  WHERE s.number = substr(callee, 2)::bigint AND s.removed_at IS NULL AND COALESCE(s.account_id = account, true)
$$;
