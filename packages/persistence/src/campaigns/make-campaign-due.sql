-- Makes the turn of a campaign's account due. Whoever calls it has the campaign locked. Columns have whole milliseconds and
-- round up: the account would not be due yet.
CREATE OR REPLACE FUNCTION make_campaign_due(campaign uuid, moment timestamptz) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO dial_turns AS t (account_id, due_at, new_due, held_until)
  SELECT g.account_id, x.due_at, x.due_at, '-infinity'
  FROM campaigns g, (SELECT date_trunc('milliseconds', moment) AS due_at) x WHERE g.id = campaign
  ON CONFLICT (account_id) DO UPDATE
    SET due_at = LEAST(t.due_at, excluded.due_at), new_due = LEAST(t.new_due, excluded.due_at)
$$;
