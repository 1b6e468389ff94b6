import { invariant } from '@outdial/kernel';
import { auditPart, type AdministrationContext } from './audit.ts';

/** Whether new dials begin. */
export interface DiallingRecord {
  readonly paused: boolean;
  /** Of the last change; null if there was none. */
  readonly changedAtMs: number | null;
  readonly changedBy: string | null;
}

/**
 * The kill switch. Once a pause is committed no dial begins more than a second later, on any worker; calls that are up go
 * on, and accepted ones wait.
 */
export interface DiallingAdministration {
  show(): Promise<DiallingRecord>;
  /** What is so already is left as it is, and not audited. */
  set(change: { readonly paused: boolean }): Promise<DiallingRecord>;
}

export function administerDialling({ database, actor }: AdministrationContext): DiallingAdministration {
  const { side } = database;

  async function show(): Promise<DiallingRecord> {
    const [row] = await side.$queryRaw<DiallingRecord[]>`
      SELECT dialling_paused AS paused, epoch_ms(dialling_changed_at) AS "changedAtMs",
        -- A user of the dashboard stands in the audit by its id.
        COALESCE((SELECT u.email FROM users u WHERE 'user:' || u.id = s.dialling_changed_by), s.dialling_changed_by)
          AS "changedBy"
      FROM system_settings s WHERE s.id = 1`;
    invariant(row, 'the system has its settings');
    return row;
  }

  return {
    show,
    async set({ paused }) {
      const action = paused ? 'dialling.pause' : 'dialling.resume';
      await side.$executeRaw`
        WITH changed AS (
          UPDATE system_settings
          SET dialling_paused = ${paused}, dialling_changed_at = clock_timestamp(), dialling_changed_by = ${actor}
          WHERE id = 1 AND dialling_paused <> ${paused} RETURNING id
        ), ${auditPart(actor, { action, subjectId: 'system', data: {} })}
        SELECT count(*) FROM changed`;
      return show();
    },
  };
}
