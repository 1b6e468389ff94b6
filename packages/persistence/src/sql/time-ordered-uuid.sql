-- An id of version 7 (RFC 9562, section 5.7): those of one time are neighbors in an index, so a backlog of a million rows that is
-- worked off in their order touches few pages. Random ids are all over the index, in memory that no cache of the processor holds.
CREATE OR REPLACE FUNCTION time_ordered_uuid() RETURNS uuid LANGUAGE sql VOLATILE
AS $$
  SELECT encode(
    -- The bits 52 and 53 make 7 of the version 4.
    set_bit(set_bit(
      substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
        || substring(uuid_send(gen_random_uuid()) FROM 7),
      52, 1), 53, 1),
    'hex')::uuid
$$;
