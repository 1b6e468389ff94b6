/** What Postgres holds: open calls, and their second legs until those are settled. */
export const OPEN_HOLDS = `(
  SELECT c.id, c.account_id, c.reservation_id, c.hold_micros FROM calls c
  WHERE c.ended_at IS NULL AND c.reservation_id IS NOT NULL
  UNION ALL
  SELECT t.id, c.account_id, t.reservation_id, t.hold_micros FROM transfer_legs t JOIN calls c ON c.id = t.call_id
  WHERE t.settled_at IS NULL
) AS open_holds`;
