-- The most attempts of a delivery that a resend or a replay may ask for: each is logged, and keeps its message from expiring.
CREATE OR REPLACE FUNCTION webhook_most_attempts() RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT 100 $$;
