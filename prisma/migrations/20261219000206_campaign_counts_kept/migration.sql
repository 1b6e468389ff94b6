-- Counts of what was there before the functions kept them. Whoever makes an upload ready locks its campaign first, and waits here.
LOCK TABLE "campaigns" IN EXCLUSIVE MODE;
UPDATE "campaigns" g SET "contact_count" = x.accepted
FROM (SELECT u."campaign_id", sum(u."accepted")::int AS accepted FROM "campaign_uploads" u WHERE u."state" = 'ready' GROUP BY 1) x
WHERE g."id" = x."campaign_id" AND g."contact_count" <> x.accepted;
UPDATE "campaign_uploads" u SET "error_count" = x.errors
FROM (SELECT e."campaign_id", e."upload", count(*)::int AS errors FROM "campaign_upload_errors" e GROUP BY 1, 2) x
WHERE u."campaign_id" = x."campaign_id" AND u."number" = x."upload" AND u."error_count" <> x.errors;
ALTER TABLE "campaigns" VALIDATE CONSTRAINT "campaigns_deleted_check";
