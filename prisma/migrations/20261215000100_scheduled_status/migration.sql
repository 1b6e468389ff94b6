-- In a migration of their own: a value of an enum can be used once it is committed.
ALTER TYPE "call_status" ADD VALUE 'scheduled' BEFORE 'queued';
ALTER TYPE "ended_reason" ADD VALUE 'schedule_expired' AFTER 'queue_expired';
ALTER TYPE "ended_reason" ADD VALUE 'not_permitted' AFTER 'schedule_expired';
