-- In a migration of their own: reading the table takes no lock that a call waits for.
ALTER TABLE "calls" VALIDATE CONSTRAINT "calls_claimed_check";
ALTER TABLE "calls" VALIDATE CONSTRAINT "calls_reservation_check";
ALTER TABLE "calls" VALIDATE CONSTRAINT "calls_unreserved_check";
