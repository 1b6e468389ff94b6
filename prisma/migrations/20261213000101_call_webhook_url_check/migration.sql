-- Reads the table once, and waits for nobody.
ALTER TABLE "calls" VALIDATE CONSTRAINT "calls_webhook_url_check";
