import type { SuppressionId } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import type { ListContext } from './add-suppressions.ts';
import { inForceOf, SUPPRESSION_COLUMNS, type SuppressionRecord } from './suppression-record.ts';

export interface RemovedSuppression {
  readonly id: SuppressionId;
  /** Why the number may be called again. */
  readonly reason: string;
  /** Only the operator lifts an opt-out. */
  readonly liftsOptOuts: boolean;
}

export type RemoveOutcome =
  | { readonly kind: 'removed'; readonly suppression: SuppressionRecord }
  | { readonly kind: 'opt_out_stands' }
  /** Unknown, another list's, or removed before. */
  | { readonly kind: 'not_found' };

/** The row stays, as history. */
export async function removeSuppression(context: ListContext, input: RemovedSuppression): Promise<RemoveOutcome> {
  const { id, reason, liftsOptOuts } = input;
  const { owner, actor } = context;
  const { side } = context.database;
  const kinds = liftsOptOuts ? ['manual', 'opt_out'] : ['manual'];
  const data = JSON.stringify({ account_id: owner ?? undefined, reason });
  const [removed] = await side.$queryRaw<SuppressionRecord[]>`
    WITH changed AS (
      UPDATE suppressions s SET removed_at = GREATEST(clock_timestamp(), s.created_at), removed_by = ${actor},
        removal_reason = ${reason}
      WHERE s.id = ${id}::uuid AND ${inForceOf(owner)} AND s.kind = ANY (${kinds}::text[]) RETURNING s.*
    ), counted AS (
      UPDATE suppression_counts c SET manual = c.manual - 1 FROM changed x
      WHERE c.account_id = x.account_id AND x.kind = 'manual'
    ), audit AS (
      INSERT INTO audit_entries (actor, action, subject_type, subject_id, data)
      SELECT ${actor}, 'suppression.remove', 'suppression', x.id::text, ${data}::jsonb FROM changed x
    )
    SELECT ${SUPPRESSION_COLUMNS} FROM changed s`;
  if (removed) return { kind: 'removed', suppression: removed };
  const [standing] = await side.$queryRaw<{ id: string }[]>(
    Prisma.sql`SELECT s.id FROM suppressions s WHERE s.id = ${id}::uuid AND ${inForceOf(owner)} AND s.kind = 'opt_out'`,
  );
  return standing && !liftsOptOuts ? { kind: 'opt_out_stands' } : { kind: 'not_found' };
}
