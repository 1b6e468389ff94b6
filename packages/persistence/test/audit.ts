import type { Database } from '../src/database.ts';

export interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly data: unknown;
}

/** The audit entries of a subject, in order. */
export function auditOf({ side }: Database, subjectId: string): Promise<AuditEntry[]> {
  return side.$queryRaw<AuditEntry[]>`
    SELECT actor, action, data FROM audit_entries WHERE subject_id = ${subjectId} ORDER BY id`;
}
