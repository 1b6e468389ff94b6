-- Every path that makes an account fires it: the sign-up, and the command line.
CREATE OR REPLACE TRIGGER accounts_have_default_policy AFTER INSERT ON accounts
  FOR EACH ROW EXECUTE FUNCTION give_default_policy();
