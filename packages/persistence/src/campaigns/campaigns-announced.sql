-- Every path that changes the state of a campaign fires it.
CREATE OR REPLACE TRIGGER campaigns_announced AFTER UPDATE OF state ON campaigns
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_campaign_state();
