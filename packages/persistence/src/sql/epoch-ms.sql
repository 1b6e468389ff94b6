-- Times cross the SQL boundary as whole milliseconds since 1970: as text they would depend on the session's time zone.
CREATE OR REPLACE FUNCTION epoch_ms(moment timestamptz) RETURNS double precision LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT round(extract(epoch FROM moment) * 1000)::double precision $$;
