import { Prisma } from '@outdial/persistence';
import type { UserId } from './session.ts';

/**
 * The CTE that audits joins with the user as actor: one row for each row of the CTE `joined`, which has `account_id` and
 * `role`. Only the statement itself knows the account.
 */
export function joinAudit(userId: UserId): Prisma.Sql {
  return Prisma.sql`join_audit AS (
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT ${`user:${userId}`}::text, 'member.join', 'member', ${userId}::text,
           jsonb_build_object('account_id', j.account_id, 'role', j.role) FROM joined j)`;
}
