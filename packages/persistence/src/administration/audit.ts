import type { Database } from '../database.ts';
import { Prisma } from '../generated/client.ts';

/** What every part of the administration works with. */
export interface AdministrationContext {
  readonly database: Database;
  /** Who is answerable for the changes: a login name, a user's id. */
  readonly actor: string;
}

export interface AuditEntry {
  /** `account.create`: the noun and the verb. */
  readonly action: `${string}.${string}`;
  readonly subjectId: string;
  /** What was asked for; never a secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The part of a changing statement that writes its audit row: one for each row of the part that is called `changed`.
 * A change and its audit stand in one statement, so that neither is there without the other.
 */
export function auditPart(actor: string, entry: AuditEntry): Prisma.Sql {
  const [subjectType] = entry.action.split('.');
  return Prisma.sql`audit AS (
    INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
    SELECT ${actor}::text, ${entry.action}::text, ${subjectType}::text, ${entry.subjectId}::text,
           ${JSON.stringify(entry.data)}::jsonb FROM changed)`;
}
