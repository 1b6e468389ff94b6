-- In a migration of their own: reading the tables takes no lock that a call waits for.
ALTER TABLE "calls" ADD CONSTRAINT "calls_campaign_id_fkey" FOREIGN KEY ("campaign_id") REFERENCES "campaigns"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
ALTER TABLE "calls" VALIDATE CONSTRAINT "calls_campaign_id_fkey";
ALTER TABLE "call_schedules" VALIDATE CONSTRAINT "call_schedules_contact_check";
