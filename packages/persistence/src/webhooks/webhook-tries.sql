-- How often a delivery is tried. Repeats TRIES of the webhooks package.
CREATE OR REPLACE FUNCTION webhook_tries(kind text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT CASE kind WHEN 'per_call' THEN 5 ELSE 10 END $$;
