-- Makes sure that a reservation never becomes a call. Waits for a while for a concurrent accept of it.
CREATE OR REPLACE FUNCTION void_reservation(reservation uuid) RETURNS reservation_state
LANGUAGE plpgsql VOLATILE SET lock_timeout = '500ms'
AS $$
BEGIN
  INSERT INTO reservations (id, state) VALUES (reservation, 'void') ON CONFLICT (id) DO NOTHING;
  -- A statement of its own: it sees the row that the insert has waited for.
  RETURN (SELECT r.state FROM reservations r WHERE r.id = reservation);
END $$;
