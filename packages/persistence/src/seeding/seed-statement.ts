/** One statement: an account, its wallet with the first top-up, a number, agents, a key, and a deck if there is none. */
export const SEED_ACCOUNT = `
WITH account AS (
  INSERT INTO accounts (id, name, currency, capacity, may_use_system_number)
  VALUES ($1::uuid, $2, 'USD', $3::int, $4::boolean)
), wallet AS (
  INSERT INTO wallets (account_id, balance_micros) VALUES ($1::uuid, $5::bigint)
), top_up AS (
  INSERT INTO ledger_entries (account_id, kind, amount_micros, idempotency_key)
  SELECT $1::uuid, 'top_up', $5::bigint, 'opening balance' WHERE $5::bigint > 0
), number AS (
  INSERT INTO phone_numbers (id, account_id, e164, is_default)
  SELECT gen_random_uuid(), $1::uuid, $6::text, true WHERE $6::text IS NOT NULL
), agent AS (
  -- A millisecond apart, so that a list has them in this order.
  INSERT INTO agents (id, account_id, created_at)
  SELECT a.id, $1::uuid, now() - interval '1 second' + a.position * interval '1 millisecond'
  FROM ROWS FROM (jsonb_to_recordset($7::jsonb) AS (id uuid)) WITH ORDINALITY AS a(id, position)
), version AS (
  INSERT INTO agent_versions (agent_id, version, settings)
  SELECT a.id, 1, a.settings FROM jsonb_to_recordset($7::jsonb) AS a(id uuid, settings jsonb)
), key AS (
  INSERT INTO api_keys (id, account_id, name, shown_prefix, digest, requests_per_second, scopes)
  SELECT gen_random_uuid(), $1::uuid, 'test', $8::text, decode($9::text, 'hex'), $10::int, $12::text[]
  WHERE $9::text IS NOT NULL
), deck AS (
  INSERT INTO rate_decks (currency) SELECT 'USD' WHERE $11::jsonb IS NOT NULL
  ON CONFLICT (currency) DO NOTHING RETURNING currency
)
INSERT INTO rates (currency, prefix, description, connection_fee_micros, price_per_minute_micros,
                   initial_increment_seconds, increment_seconds)
SELECT d.currency, r.* FROM deck d, jsonb_to_record($11::jsonb) AS r(
  prefix text, description text, connection_fee_micros bigint, price_per_minute_micros bigint,
  initial_increment_seconds int, increment_seconds int)`;
