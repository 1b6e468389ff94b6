-- Gives a new account the default policy. Without rules it is left at version 0, which no dial asks about.
CREATE OR REPLACE FUNCTION give_default_policy() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  settings jsonb := (SELECT s.default_policy FROM system_settings s WHERE s.id = 1);
BEGIN
  IF settings IS NULL OR settings->'windows' = '{}' AND settings->'closed_days' = '[]' AND settings->'caps' = '[]' THEN
    RETURN NULL;
  END IF;
  INSERT INTO calling_policies (account_id, version, settings, saved_by) VALUES (NEW.id, 1, settings, 'default');
  UPDATE accounts a SET policy_version = 1 WHERE a.id = NEW.id;
  RETURN NULL;
END $$;
