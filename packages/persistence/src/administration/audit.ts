import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** Shared context of the administration. */
export interface AdministrationContext {
  readonly database: Database;
  /** Who makes the changes: a login name, a user's id. */
  readonly actor: string;
}

export interface AuditEntry {
  /** Noun and verb, such as `account.create`. */
  readonly action: `${string}.${string}`;
  readonly subjectId: string;
  /** The requested change; never a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The CTE that writes the audit row of a change: one for each row of the CTE `changed`. The change and its audit row are
 * one statement, so that neither exists without the other.
 */
export function auditPart(actor: string, entry: AuditEntry): Prisma.Sql {
  const [subjectType] = entry.action.split('.');
  return Prisma.sql`audit AS (
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT ${actor}::text, ${entry.action}::text, ${subjectType}::text, ${entry.subjectId}::text,
           ${JSON.stringify(entry.data)}::jsonb FROM changed)`;
}
