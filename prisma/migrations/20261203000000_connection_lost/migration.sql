-- An answered call that the network dropped. A value of its own: it is charged and not worth a retry, unlike
-- 'carrier_unavailable'. Nothing uses it in this migration: Postgres allows that only after the commit.
ALTER TYPE "ended_reason" ADD VALUE 'connection_lost' AFTER 'carrier_unavailable';
