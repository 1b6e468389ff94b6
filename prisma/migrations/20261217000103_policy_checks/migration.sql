-- In a migration of their own: reading the table takes no lock that a call waits for.
ALTER TABLE "call_schedules" VALIDATE CONSTRAINT "call_schedules_waiting_for_check";
