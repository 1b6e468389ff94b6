-- In a migration of its own: Postgres allows the use of a new value only after the commit.
ALTER TYPE "ledger_kind" ADD VALUE 'try_charge';
