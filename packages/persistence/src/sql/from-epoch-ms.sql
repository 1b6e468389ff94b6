-- The reverse of epoch_ms.
CREATE OR REPLACE FUNCTION from_epoch_ms(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT to_timestamp(ms / 1000.0::double precision) $$;
