import type { Database } from '../database.ts';

/** Of one statement: some 40 ms. */
const REMOVED_AT_ONCE = 5_000;

/** Removes what deleted campaigns have left, a bounded number of rows of one. Returns whether there may be more. */
export async function removeSomeDeleted({ side }: Pick<Database, 'side'>): Promise<boolean> {
  const [row] = await side.$queryRaw<{ removed: number }[]>`
    SELECT remove_deleted_campaign(${REMOVED_AT_ONCE}::int) AS removed`;
  return (row?.removed ?? 0) > 0;
}
