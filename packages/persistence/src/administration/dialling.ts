import { invariant } from '@outdial/kernel';
import { auditPart, type AdministrationContext } from './audit.ts';

/** Whether new dials start. */
export interface DiallingRecord {
  readonly paused: boolean;
  /** Time of the last change; null if there was none. */
  readonly changedAtMs: number | null;
  readonly changedBy: string | null;
}

/**
 * The kill switch. No worker starts a dial more than a second after a pause is committed. Active calls go on, and
 * accepted ones wait.
 */
export interface DiallingAdministration {
  show(): Promise<DiallingRecord>;
  /** A change without effect is not audited. */
  set(change: { readonly paused: boolean }): Promise<DiallingRecord>;
}

export function administerDialling({ database, actor }: AdministrationContext): DiallingAdministration {
  const { side } = database;

  async function show(): Promise<DiallingRecord> {
    const [row] = await side.$queryRaw<DiallingRecord[]>`
      SELECT dialling_paused AS paused, epoch_ms(dialling_changed_at) AS "changedAtMs",
        -- The audit identifies a dashboard user by id.
        COALESCE((SELECT u.email FROM users u WHERE 'user:' || u.id = s.dialling_changed_by), s.dialling_changed_by)
          AS "changedBy"
      FROM system_settings s WHERE s.id = 1`;
    invariant(row, 'system_settings has its row');
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
