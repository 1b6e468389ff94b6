import { Prisma } from '../generated/client.ts';
import { readRetention } from '../retention/read-retention.ts';
import { retentionProblem, type RetentionKind, type RetentionSettings } from '../retention/retention-settings.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { refusal } from './refusal.ts';

/** Days by kind; null: the default. */
export type RetentionChanges = Readonly<Partial<Record<RetentionKind, number | null>>>;

/** How long data is kept. */
export interface RetentionAdministration {
  show(): Promise<RetentionSettings>;
  /** Changes these kinds, and leaves the others. All or nothing. */
  set(changes: RetentionChanges): Promise<RetentionSettings>;
}

export function administerRetention({ database, actor }: AdministrationContext): RetentionAdministration {
  return {
    show: () => readRetention(database),
    set: (changes) =>
      // Two changes that are coherent alone may not be so together.
      database.side.$transaction(async (side) => {
        await side.$executeRaw`LOCK TABLE retention_settings IN SHARE ROW EXCLUSIVE MODE`;
        const merged = merge(await readRetention({ side }), changes);
        const problem = retentionProblem(merged);
        if (problem) throw refusal('retention_incoherent', problem.kind, `${problem.kind} ${problem.message}.`);
        const kinds = Object.keys(changes);
        await side.$executeRaw`DELETE FROM retention_settings r WHERE r.kind = ANY (${kinds}::text[])`;
        const rows = Object.entries(changes).flatMap(([kind, days]) => (days === null ? [] : [{ kind, days }]));
        const planted = Prisma.sql`
          INSERT INTO retention_settings (kind, days, changed_at, changed_by)
          SELECT x.kind, x.days, clock_timestamp(), ${actor}
          FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(kind text, days int)`;
        await side.$executeRaw(planted);
        await side.$executeRaw`
          WITH changed AS (SELECT 1), ${auditPart(actor, { action: 'retention.set', subjectId: 'system', data: changes })}
          SELECT 1`;
        return merged;
      }),
  };
}

function merge(settings: RetentionSettings, changes: RetentionChanges): RetentionSettings {
  const merged = new Map<string, number | null>([...Object.entries(settings), ...Object.entries(changes)]);
  return Object.fromEntries([...merged].flatMap(([kind, days]) => (days === null ? [] : [[kind, days]])));
}
