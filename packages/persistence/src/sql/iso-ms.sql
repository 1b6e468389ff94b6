-- A time as the interface writes it: RFC 3339 in UTC, with milliseconds.
CREATE OR REPLACE FUNCTION iso_ms(moment timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT to_char(moment AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;
