import { expect } from 'vitest';
import type { Database, Prisma } from '../src/index.ts';

/** Starts works while the rows of `locking` are locked, so that none sees what another has committed. */
export async function beginTogether<Result>(
  { hot, side }: Database,
  locking: Prisma.Sql,
  works: readonly (() => Promise<Result>)[],
): Promise<readonly Result[]> {
  const begun = await hot.$transaction(
    async (holder) => {
      await holder.$executeRaw(locking);
      const results = works.map((work) => work());
      await expect
        .poll(async () => {
          const [row] = await side.$queryRaw<{ waiting: number }[]>`
            SELECT count(*)::int AS waiting FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          return row?.waiting;
        })
        .toBe(works.length);
      return results;
    },
    { timeout: 60_000 },
  );
  return Promise.all(begun);
}
