import { POLICY_LIMITS } from '@outdial/contracts';
import type { Database } from '../database.ts';

/** Rows of one step: some milliseconds. */
const STEP_ROWS = 2_000;

interface Position {
  readonly accountId: string;
  readonly number: bigint;
}

interface StepRow extends Position {
  readonly looked: number;
  readonly deleted: number;
}

/** Before the first row. */
const START: Position = { accountId: '00000000-0000-0000-0000-000000000000', number: 0n };

export interface DialCountSweep {
  /** Looks at the rows after those of the last step, and begins again after the last row. @returns how many it deleted */
  step(): Promise<number>;
}

/**
 * Deletes counts of numbers whose last dial no cap counts any more, since none has a longer period: a row changes only when
 * its number is dialed. Any number of workers may do it at once, each from its own position.
 */
export function createDialCountSweep(
  { side }: Pick<Database, 'side'>,
  { stepRows = STEP_ROWS }: { readonly stepRows?: number } = {},
): DialCountSweep {
  let position = START;
  return {
    async step() {
      // A row that is locked is being dialed. One that was dialed since this snapshot is judged again by its new times.
      const [last] = await side.$queryRaw<StepRow[]>`
        WITH walked AS MATERIALIZED (
          SELECT k.account_id, k.number FROM dial_counts k
          WHERE (k.account_id, k.number) > (${position.accountId}::uuid, ${position.number}::bigint)
          ORDER BY k.account_id, k.number LIMIT ${stepRows}::int
        ), over AS MATERIALIZED (
          SELECT k.account_id, k.number FROM walked w JOIN dial_counts k USING (account_id, number)
          WHERE (SELECT max(d.at) FROM unnest(k.dialed_at) d(at))
            <= (SELECT clock_timestamp()) - make_interval(hours => ${POLICY_LIMITS.capHours.max}::int)
          FOR UPDATE OF k SKIP LOCKED
        ), deleted AS (
          DELETE FROM dial_counts k USING over o WHERE k.account_id = o.account_id AND k.number = o.number RETURNING 1
        )
        SELECT w.account_id AS "accountId", w.number, (SELECT count(*)::int FROM walked) AS looked,
          (SELECT count(*)::int FROM deleted) AS deleted
        FROM walked w ORDER BY w.account_id DESC, w.number DESC LIMIT 1`;
      const isEnd = last === undefined || last.looked < stepRows;
      position = isEnd ? START : { accountId: last.accountId, number: last.number };
      return last?.deleted ?? 0;
    },
  };
}
