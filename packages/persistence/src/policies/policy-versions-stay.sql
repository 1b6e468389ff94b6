-- A version is added and read, nothing else.
CREATE OR REPLACE TRIGGER policy_versions_stay BEFORE UPDATE ON calling_policies
  FOR EACH ROW EXECUTE FUNCTION keep_policy_versions();
