-- In a separate migration: a value of an enum can be used once it is committed.
ALTER TYPE "ended_reason" ADD VALUE 'transferred' AFTER 'agent_hangup';
