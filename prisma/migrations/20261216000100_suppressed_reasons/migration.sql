-- In a migration of their own: a value of an enum can be used once it is committed.
ALTER TYPE "ended_reason" ADD VALUE 'suppressed' AFTER 'not_permitted';
ALTER TYPE "ended_reason" ADD VALUE 'opted_out' AFTER 'suppressed';
