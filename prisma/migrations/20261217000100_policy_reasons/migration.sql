-- In a migration of their own: a value of an enum can be used once it is committed.
ALTER TYPE "ended_reason" ADD VALUE 'outside_calling_window' AFTER 'suppressed';
ALTER TYPE "ended_reason" ADD VALUE 'frequency_capped' AFTER 'outside_calling_window';
