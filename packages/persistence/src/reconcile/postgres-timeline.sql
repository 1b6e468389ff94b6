-- The WAL timeline of this Postgres. It changes with every failover, after which commits may be missing.
CREATE OR REPLACE FUNCTION postgres_timeline() RETURNS text LANGUAGE sql VOLATILE
AS $$ SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) $$;
