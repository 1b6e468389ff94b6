-- Rejects a change of a calling policy: the rules by which a call was dialed stay known.
CREATE OR REPLACE FUNCTION keep_policy_versions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a version of a calling policy never changes: save another one';
END $$;
