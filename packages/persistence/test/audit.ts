import type { Database } from '../src/database.ts';

export interface AuditEntry {
  readonly actor: string;
  readonly action: string;
  readonly data: unknown;
}

/** What was done to a subject, in its order. */
export function auditOf({ side }: Database, subjectId: string): Promise<AuditEntry[]> {
  return side.$queryRaw<AuditEntry[]>`
    SELECT actor, action, data FROM audit_entries WHERE subject_id = ${subjectId} ORDER BY id`;
}
