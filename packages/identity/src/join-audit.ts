import { Prisma } from '@outdial/persistence';
import type { UserId } from './session.ts';

/**
 * The part of a statement that audits who joined, in the user's own name: one row for each row of the part that is called
 * `joined`, which has an account's id and a role. Which account that is only the statement itself knows.
 */
export function joinAudit(userId: UserId): Prisma.Sql {
  return Prisma.sql`join_audit AS (
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT ${`user:${userId}`}::text, 'member.join', 'member', ${userId}::text,
           jsonb_build_object('account_id', j.account_id, 'role', j.role) FROM joined j)`;
}
