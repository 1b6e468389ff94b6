import { createDatabase, type Database } from '../src/index.ts';
import { withoutAutovacuum } from './without-autovacuum.ts';

/** One connection, and how many pages its statements read. */
export interface BlockCounts {
  /** Fill tables with it too: what other connections have read is counted some time later. */
  readonly single: Database;
  /** How many pages of the tables, with their indexes, it reads. */
  of(read: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** Nothing else reads the tables from now on, no vacuum either. */
export async function countBlocksOf(databaseUrl: string, tables: readonly string[]): Promise<BlockCounts> {
  const patience = { queryTimeoutMs: 120_000, connectTimeoutMs: 60_000 };
  const single = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1, ...patience });
  await withoutAutovacuum(single, tables);

  async function read(): Promise<number> {
    await single.side.$queryRaw`SELECT pg_stat_force_next_flush()::text`;
    const [row] = await single.side.$queryRaw<{ blocks: number }[]>`
      SELECT sum(heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::int AS blocks
      FROM pg_statio_user_tables WHERE relname = ANY (${[...tables]}::text[])`;
    return row?.blocks ?? 0;
  }

  return {
    single,
    async of(work) {
      const before = await read();
      await work();
      return (await read()) - before;
    },
    close: () => single.close(),
  };
}
